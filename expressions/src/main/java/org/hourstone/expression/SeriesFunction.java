package org.hourstone.expression;

import java.util.List;
import org.hourstone.query.ResultSeries;

/** A function of a series expression with its settings, such as {@code scale(…,2)}. Immutable. */
interface SeriesFunction {
  /**
   * @param arguments the series of each argument, in their order
   */
  List<ResultSeries> apply(List<List<ResultSeries>> arguments, Evaluation evaluation);

  /**
   * The number of milliseconds by which its arguments are read earlier than the requested range.
   */
  default long earlierMillis() {
    return 0;
  }
}
