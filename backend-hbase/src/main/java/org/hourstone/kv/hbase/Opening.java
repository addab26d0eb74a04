package org.hourstone.kv.hbase;

import java.time.Duration;

/**
 * The time limit for opening a store, from the creation of this object; {@code docs/hbase.md}
 * promises it. Connecting has three quarters of it, the check of the tables the rest.
 */
final class Opening {
  private static final Duration MOST = Duration.ofSeconds(20);

  private final long begun = System.nanoTime();
  private final Duration all;

  /**
   * @param timeout the timeout of operations, which opening does not exceed either
   */
  Opening(Duration timeout) {
    this.all = timeout.compareTo(MOST) < 0 ? timeout : MOST;
  }

  Duration forConnecting() {
    return all.multipliedBy(3).dividedBy(4);
  }

  /**
   * The limit for a check of tables. A later check is not part of opening and may take the whole
   * limit.
   */
  Duration forTables() {
    Duration left = all.minusNanos(System.nanoTime() - begun);
    Duration least = all.dividedBy(4);
    return left.isNegative() ? all : left.compareTo(least) < 0 ? least : left;
  }
}
