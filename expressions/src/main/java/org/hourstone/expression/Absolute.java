package org.hourstone.expression;

import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/**
 * The values without their signs.
 *
 * @param wraps whether the least integer, for which there is no positive one, stays
 */
record Absolute(boolean wraps) implements EachSeries {
  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    SeriesBuilder absolute = SeriesBuilder.like(series);
    copy(series, absolute, wraps);
    return absolute.build();
  }

  static void copy(ResultSeries series, SeriesBuilder to, boolean wraps) {
    for (int i = 0; i < series.size(); i++) {
      if (series.isInteger(i) && (wraps || series.longValue(i) != Long.MIN_VALUE)) {
        to.addLong(series.millis(i), Math.abs(series.longValue(i)));
      } else {
        to.addDouble(series.millis(i), Math.abs(series.doubleValue(i)));
      }
    }
  }
}
