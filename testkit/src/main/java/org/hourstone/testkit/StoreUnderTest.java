package org.hourstone.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The adapter of a store under test. Only {@link #open} must be implemented; the others are for
 * stores with more guarantees, or with their own clock.
 */
public abstract class StoreUnderTest {
  /**
   * Opens the store. Called again with the same fixture, it must find the data of a durable store;
   * with another fixture, it opens a store that shares nothing with the first.
   */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /**
   * A URI with which another process opens the same store as {@link #open} does. A store with the
   * trait DURABLE or SHARED needs it: a second JVM tests these promises.
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
   * server has its own clock.
   */
  protected boolean takesFixtureClock() {
    return true;
  }

  /**
   * Ensures that the next write gets a later time than all writes before. A store with its own
   * clock waits here until that clock has advanced.
   */
  protected void passTime(StoreFixture fixture) {
    fixture.clock().advance(Duration.ofMillis(1));
  }

  /**
   * Lets the store's <i>k</i>-th commit from now fail, as a full disk or a lost connection does;
   * commits before and after it succeed. A commit is the step that makes a change durable: of a
   * cell, a row, a page of rows or a batch. With it the contract tests that failures are reported
   * correctly, for every <i>k</i> that a write reaches; without it those tests are skipped.
   *
   * @param k 1 for the next commit
   * @return whether the store can be made to fail there
   */
  protected boolean failCommit(KeyValueStore store, int k) {
    return k == 1 && failNextCommit(store);
  }

  /**
   * As {@link #failCommit} with 1, for a store that commits every call in one step.
   *
   * @return whether the store can be made to fail
   */
  protected boolean failNextCommit(KeyValueStore store) {
    return false;
  }

  /**
   * Whether scans call {@link org.hourstone.kv.Scan#check}; false for a store whose servers read
   * the rows.
   */
  protected boolean checksScans() {
    return true;
  }

  /**
   * Lets the store's next read fail, as a lost connection or a corrupt block does; reads after it
   * succeed. With it the contract tests that a failed read is reported as one.
   *
   * @return whether the store can be made to fail there
   */
  protected boolean failNextRead(KeyValueStore store) {
    return false;
  }

  /**
   * The time after which a test, opening the store before it, or closing the store after it counts
   * as hung and is ended with the stacks of all threads. A store in another process may need more
   * on a busy machine.
   */
  protected Duration timeLimit() {
    return Duration.ofSeconds(60);
  }

  /**
   * Contract tests this store is known to fail: name of the test method, and the reason with a link
   * to its issue. They are run and expected to fail, so that a fixed one is noticed.
   */
  protected Map<String, String> knownDeviations() {
    return Map.of();
  }
}
