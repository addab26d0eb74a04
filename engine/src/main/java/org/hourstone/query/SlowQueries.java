package org.hourstone.query;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts and logs requests that took long, to the logger {@code org.hourstone.query.slow}.
 * Thread-safe.
 */
public final class SlowQueries {
  private static final System.Logger LOG = System.getLogger("org.hourstone.query.slow");

  private final long slowMillis;
  private final LongAdder count = new LongAdder();

  /**
   * @param slowMillis the shortest duration that is logged; 0 to log none
   */
  public SlowQueries(long slowMillis) {
    this.slowMillis = slowMillis;
  }

  void ended(RequestBudget budget) {
    long taken = slowMillis > 0 ? budget.elapsed().toMillis() : 0;
    if (slowMillis > 0 && taken >= slowMillis) {
      count.increment();
      RunningQuery last = budget.use();
      LOG.log(
          Level.WARNING,
          "slow query: {0} ms, {1} rows, {2} bytes, {3} points, {4} series{5}{6}: {7}",
          Long.toString(taken),
          Long.toString(last.rows()),
          Long.toString(last.bytes()),
          Long.toString(last.points()),
          Long.toString(last.series()),
          budget.isCancelled() ? ", ended early" : "",
          budget.client().isEmpty() ? "" : ", from " + oneLine(budget.client()),
          oneLine(last.text()));
    }
  }

  long count() {
    return count.sum();
  }

  /** What clients send can't begin a line of its own. */
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }
}
