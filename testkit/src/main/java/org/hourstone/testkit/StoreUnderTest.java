package org.hourstone.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What the contract asks of somebody who brings a store. Only {@link #open} must be written; the
 * others are for stores that promise more, or keep their own clock.
 */
public abstract class StoreUnderTest {
  /**
   * Opens the store. Called again with the same fixture, it must find what a durable store has
   * kept; with another fixture, a store that shares nothing with the first.
   */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /**
   * A URI with which another process opens the same store as {@link #open} does. A store that
   * claims DURABLE or SHARED needs it: these promises are tested with a second JVM.
   */
  protected @Nullable String uri(StoreFixture fixture) {
    return null;
  }

  /** Opens the copy a checkpoint wrote; for stores with the Checkpoints extension. */
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    throw new UnsupportedOperationException(
        "a store with the Checkpoints extension must override openCheckpoint in its contract test");
  }

  /**
   * Whether store-assigned write times come from the fixture's clock; false for a store whose
   * server has a clock of its own.
   */
  protected boolean takesFixtureClock() {
    return true;
  }

  /**
   * Sees to it that what is written next gets a later time than all that was written before. A
   * store with a clock of its own waits here until that clock has moved on.
   */
  protected void passTime(StoreFixture fixture) {
    fixture.clock().advance(Duration.ofMillis(1));
  }

  /**
   * Makes the store's next attempt to make a change lasting fail, as a full disk or a lost
   * connection does. With it the contract tests that failures are reported truthfully; without it
   * that test is skipped.
   *
   * @return whether the store can be made to fail
   */
  protected boolean failNextCommit(KeyValueStore store) {
    return false;
  }

  /**
   * How long a test may take before it counts as hung and is ended with a thread dump. A store in
   * another process may need more on a busy machine.
   */
  protected Duration timeLimit() {
    return Duration.ofSeconds(60);
  }

  /**
   * Contract tests this store is known to fail: name of the test method, and the reason with a link
   * to where it is followed up. They are run and expected to fail, so that a fixed one is noticed.
   */
  protected Map<String, String> knownDeviations() {
    return Map.of();
  }
}
