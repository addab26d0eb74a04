package org.hourstone.series;

import org.hourstone.codec.RowPoints;

/**
 * A step applied to the points of one series before they are combined with other series. It
 * receives the points in chunks, in time order, and adds its output to a column; it does not retain
 * its input. For one thread at a time.
 */
public interface ColumnStep {
  /** Processes the next points. */
  void accept(PointColumn in, PointColumn out);

  /** Processes all points of a row as the next points. */
  default void acceptRow(long baseMillis, RowPoints row, PointColumn out) {
    PointColumn in = new PointColumn();
    in.addRow(baseMillis, row);
    accept(in, out);
  }

  /**
   * Signals that every point before a timestamp has been added, so that final output is added even
   * if the series has no more points for a long time. Must be called for all series of a group
   * before {@link Aggregation#advance}.
   *
   * @return whether a later call can add more output, even without more points
   */
  boolean settle(long untilMillis, PointColumn out);

  /** Adds the remaining output: there are no more points. */
  void finish(PointColumn out);
}
