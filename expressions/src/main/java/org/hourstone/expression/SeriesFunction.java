package org.hourstone.expression;

import java.util.List;
import org.hourstone.query.ResultSeries;

/** A function of a series expression with its settings, such as {@code scale(…,2)}. Immutable. */
interface SeriesFunction {
  /**
   * @param arguments the series of each argument, in their order
   */
  List<ResultSeries> apply(List<List<ResultSeries>> arguments, Evaluation evaluation);

  /** By how many milliseconds its arguments are read earlier than its result is wanted. */
  default long earlierMillis() {
    return 0;
  }
}
