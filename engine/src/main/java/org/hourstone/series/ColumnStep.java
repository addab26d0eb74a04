package org.hourstone.series;

import org.hourstone.codec.RowPoints;

/**
 * A step applied to the points of one series before they are combined with those of others. It
 * receives them chunk by chunk, in time order, and adds its output to a column; it does not keep
 * its input. For one thread at a time.
 */
public interface ColumnStep {
  /** Takes all of the next points. */
  void accept(PointColumn in, PointColumn out);

  /** Takes all points of a row as the next ones. */
  default void acceptRow(long baseMillis, RowPoints row, PointColumn out) {
    PointColumn in = new PointColumn();
    in.addRow(baseMillis, row);
    accept(in, out);
  }

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
