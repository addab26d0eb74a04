package org.hourstone.expression;

import java.util.List;
import org.hourstone.query.Query;

/** A part of a series expression whose value is a list of series. */
sealed interface Term {
  /**
   * The series of a query.
   *
   * @param text as it was written
   * @param query without its range
   */
  record Metric(String text, Query query) implements Term {}

  /** The result of a function on series; one list per argument. */
  record Call(SeriesFunction function, List<Term> arguments) implements Term {}
}
