package org.hourstone.expression;

import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/** The values without their signs. */
record Absolute() implements EachSeries {
  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    SeriesBuilder absolute = SeriesBuilder.like(series);
    copy(series, absolute);
    return absolute.build();
  }

  static void copy(ResultSeries series, SeriesBuilder to) {
    for (int i = 0; i < series.size(); i++) {
      if (series.isInteger(i)) {
        to.addLong(series.millis(i), Math.abs(series.longValue(i)));
      } else {
        to.addDouble(series.millis(i), Math.abs(series.doubleValue(i)));
      }
    }
  }
}
