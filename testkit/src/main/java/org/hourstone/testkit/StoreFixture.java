package org.hourstone.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreOptions;

/**
 * The environment in which a test opens its store. A store is opened again with the same fixture to
 * find its data, and with another fixture to be independent of it.
 *
 * @param directory an existing, empty directory only of this fixture, deleted after the test
 * @param name unique among all fixtures, lower-case letters and digits
 * @param seed for all random values
 * @param clock the clock from which a store that assigns write times must take them, see {@link
 *     #options}
 */
public record StoreFixture(Path directory, String name, long seed, ManualClock clock) {
  private static final Instant START = Instant.parse("2013-01-01T00:00:00Z");

  /**
   * A fixture with a unique name and a clock set to the start of 2013. The directory is created if
   * it does not exist.
   */
  public static StoreFixture in(Path directory, long seed) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String name = "f" + UUID.randomUUID().toString().replace("-", "");
    return new StoreFixture(directory, name, seed, new ManualClock(START));
  }

  /** This fixture with its clock ticking: no two readings of the store are the same. */
  public StoreFixture ticking() {
    return new StoreFixture(directory, name, seed, clock.ticking());
  }

  /** Options with this fixture's clock. */
  public StoreOptions options() {
    return new StoreOptions(clock);
  }

  /** The family most tests work in; its table is named like the fixture. */
  public Family family() {
    return new Family(name, "t");
  }
}
