package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.query.ResultSeries;

/** A function that maps each series of any argument to another series. */
interface EachSeries extends SeriesFunction {
  ResultSeries apply(ResultSeries series, Evaluation evaluation);

  @Override
  default List<ResultSeries> apply(List<List<ResultSeries>> arguments, Evaluation evaluation) {
    List<ResultSeries> made = new ArrayList<>();
    for (List<ResultSeries> argument : arguments) {
      for (ResultSeries series : argument) {
        evaluation.budget().check();
        made.add(apply(series, evaluation));
      }
    }
    return made;
  }
}
