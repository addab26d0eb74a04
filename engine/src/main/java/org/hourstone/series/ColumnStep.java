package org.hourstone.series;

/**
 * What happens to the points of one series before they meet those of others. It takes them chunk by
 * chunk, in the order of time, and adds what comes of them to a column; what it has taken it
 * doesn't keep. For one thread at a time.
 */
public interface ColumnStep {
  /** Takes all of the next points. */
  void accept(PointColumn in, PointColumn out);

  /**
   * Is told that every point before an instant has been taken, so that what is decided comes out
   * even if the series has no more points for long. Must be called on all series of a group before
   * {@link Aggregation#advance}.
   */
  void settle(long untilMillis, PointColumn out);

  /** There are no more points. */
  void finish(PointColumn out);

  /** How many bytes of memory are held beyond a few. */
  long bytes();
}
