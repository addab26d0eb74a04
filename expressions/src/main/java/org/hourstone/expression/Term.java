package org.hourstone.expression;

import java.util.List;
import org.hourstone.query.Query;

/** A part of a series expression that stands for series. */
sealed interface Term {
  /**
   * The series of a query.
   *
   * @param text as it was written
   * @param query without its range
   */
  record Metric(String text, Query query) implements Term {}

  /** What a function makes of series; of each argument a list. */
  record Call(SeriesFunction function, List<Term> arguments) implements Term {}
}
