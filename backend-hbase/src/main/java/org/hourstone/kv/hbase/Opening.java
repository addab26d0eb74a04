package org.hourstone.kv.hbase;

import java.time.Duration;

/**
 * How long a store may take to open, from when this is made: {@code docs/hbase.md} promises it.
 * Connecting has three quarters of it, and the check of the tables what is left.
 */
final class Opening {
  private static final Duration MOST = Duration.ofSeconds(20);

  private final long begun = System.nanoTime();
  private final Duration all;

  /**
   * @param timeout of all operations, which opening does not exceed either
   */
  Opening(Duration timeout) {
    this.all = timeout.compareTo(MOST) < 0 ? timeout : MOST;
  }

  Duration forConnecting() {
    return all.multipliedBy(3).dividedBy(4);
  }

  /** A check that is made later is not part of the opening: it may take as long as all of that. */
  Duration forTables() {
    Duration left = all.minusNanos(System.nanoTime() - begun);
    Duration least = all.dividedBy(4);
    return left.isNegative() ? all : left.compareTo(least) < 0 ? least : left;
  }
}
