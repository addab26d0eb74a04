package org.hourstone.series;

/**
 * A step applied to the points of one series before they are combined with those of others. It
 * receives them chunk by chunk, in time order, and adds its output to a column; it does not keep
 * its input. For one thread at a time.
 */
public interface ColumnStep {
  /** Takes all of the next points. */
  void accept(PointColumn in, PointColumn out);

  /**
   * Signals that every point before a timestamp has been added, so that final output is added even
   * if the series has no more points for long. Must be called for all series of a group before
   * {@link Aggregation#advance}.
   *
   * @return whether more output can become final by time alone, before more points are added
   */
  boolean settle(long untilMillis, PointColumn out);

  /** There are no more points. */
  void finish(PointColumn out);
}
