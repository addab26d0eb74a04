package org.hourstone.query;

import org.hourstone.codec.RowPoints;

/** Leaves points as they are. */
final class RawStage implements SeriesStage {
  private final PointColumn column = new PointColumn();

  @Override
  public void accept(long baseMillis, RowPoints points) {
    for (int i = 0; i < points.size(); i++) {
      long millis = baseMillis + points.offset(i);
      if (points.isFloat(i)) {
        column.addDouble(millis, points.toDouble(i));
      } else {
        column.addLong(millis, points.raw(i));
      }
    }
  }

  @Override
  public PointColumn finish() {
    return column;
  }
}
