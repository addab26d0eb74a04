package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The value of a formula's variable: columns of values. For one thread at a time. */
interface Source {
  /**
   * A column.
   *
   * @param metrics the metrics in it, sorted
   * @param shownMetrics the metrics for output
   * @param tags the tags for output
   * @param identity its actual tags
   */
  record Column(
      List<String> metrics,
      List<String> shownMetrics,
      Map<String, String> tags,
      List<String> aggregatedTags,
      Map<String, String> identity) {}

  List<Column> columns();

  /** The names of the filtered tags. */
  Set<String> queryTags();

  /** The timestamps of the rows, ascending. */
  long[] times();

  /** The timestamps at which a column has a value, ascending. */
  long[] times(int column);

  /**
   * The values of a column, from the first one on.
   *
   * @throws ExpressionException if one can't be computed
   */
  Values values(int column);

  /** The form for output of the value at a timestamp. */
  double shown(Values column, long millis);

  /** The substitute for a missing value in a formula. */
  double fillOfMissing();

  /** The substitute for NaN in a formula. */
  double fillOfNan();
}
