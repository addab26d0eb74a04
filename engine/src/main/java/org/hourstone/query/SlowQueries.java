package org.hourstone.query;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Logs queries that took long, to the logger {@code org.hourstone.query.slow}. Thread-safe. */
final class SlowQueries {
  private static final System.Logger LOG = System.getLogger("org.hourstone.query.slow");

  private final long slowMillis;

  /**
   * @param slowMillis from how long on; 0 for never
   */
  SlowQueries(long slowMillis) {
    this.slowMillis = slowMillis;
  }

  void ended(QueryContext use) {
    Duration taken = use.elapsed();
    if (slowMillis > 0 && taken.toMillis() >= slowMillis) {
      RunningQuery last = use.snapshot();
      LOG.log(
          Level.WARNING,
          "slow query: {0} ms, {1} rows, {2} bytes, {3} points, {4} series{5}: {6}",
          Long.toString(taken.toMillis()),
          Long.toString(last.rows()),
          Long.toString(last.bytes()),
          Long.toString(last.points()),
          Long.toString(last.series()),
          use.isCancelled() ? ", ended early" : "",
          last.text());
    }
  }
}
