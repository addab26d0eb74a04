package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a variable of a formula stands for: columns of values. Immutable. */
interface Source {
  /**
   * A column.
   *
   * @param metrics the metrics in it, sorted
   * @param shownMetrics what is shown of them
   * @param tags what is shown of its tags
   * @param identity its tags as they are
   */
  record Column(
      List<String> metrics,
      List<String> shownMetrics,
      Map<String, String> tags,
      List<String> aggregatedTags,
      Map<String, String> identity) {}

  List<Column> columns();

  /** The names of the tags that are filtered by. */
  Set<String> queryTags();

  /** The instants at which there is a row, ascending. */
  long[] times();

  /** The instants at which a column has a value, ascending. */
  long[] times(int column);

  Values open(Pass pass);

  /** What an answer shows. */
  double shown(Values values, int column, long millis);

  /** What stands for a value where it is missing in a formula. */
  double fillOfMissing();

  /** What stands for a value that is not a number in a formula. */
  double fillOfNan();
}
