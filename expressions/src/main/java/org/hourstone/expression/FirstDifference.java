package org.hourstone.expression;

import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/** The difference of each value from the one before it, as doubles; 0 for the first. */
record FirstDifference() implements EachSeries {
  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    ResultSeries visible = evaluation.trimmed(series);
    SeriesBuilder differences = SeriesBuilder.like(visible);
    for (int i = 0; i < visible.size(); i++) {
      double difference = i == 0 ? 0 : visible.doubleValue(i) - visible.doubleValue(i - 1);
      differences.addDouble(visible.millis(i), difference);
    }
    return differences.build();
  }
}
