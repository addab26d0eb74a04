package org.hourstone.expression;

import java.util.List;
import java.util.Set;
import org.hourstone.query.Query;
import org.jspecify.annotations.Nullable;

/**
 * Metrics, and formulas over them and over each other. Immutable.
 *
 * @param startMillis first instant, inclusive, in milliseconds since the epoch
 * @param endMillis last instant, inclusive
 */
public record ExpressionQuery(
    long startMillis, long endMillis, List<Metric> metrics, List<Formula> formulas) {
  public ExpressionQuery {
    metrics = List.copyOf(metrics);
    formulas = List.copyOf(formulas);
  }

  /**
   * The series of a query, which formulas know by a name.
   *
   * @param id the name: letters, digits and underscores, not digits alone
   * @param query without its range
   * @param queryTags the names of the tags it filters by
   * @param fill what stands for a value that is missing or not a number
   */
  public record Metric(String id, Query query, Set<String> queryTags, double fill) {
    public Metric {
      queryTags = Set.copyOf(queryTags);
    }
  }

  /**
   * A formula, such as {@code (a - b) / 1024}.
   *
   * @param id its name for other formulas; as for metrics
   * @param fill what stands for a value of it that is missing or not a number where another formula
   *     uses it; null for 0 where it is missing, and for what it is otherwise
   */
  public record Formula(String id, String text, Join join, @Nullable Double fill) {}

  /**
   * Which series of a formula's variables belong together: those with the same tags.
   *
   * @param intersection whether a result needs a series of each variable; else of one of them
   * @param byQueryTags whether only tags count that are filtered by
   * @param withAggregatedTags whether the names of aggregated tags must be the same, too
   */
  public record Join(boolean intersection, boolean byQueryTags, boolean withAggregatedTags) {
    /** What holds if nothing is said. */
    public static final Join DEFAULT = new Join(false, false, true);
  }
}
