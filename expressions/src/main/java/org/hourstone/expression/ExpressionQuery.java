package org.hourstone.expression;

import java.util.List;
import java.util.Set;
import org.hourstone.query.Query;
import org.jspecify.annotations.Nullable;

/**
 * Metrics, and formulas over them and over each other. Immutable.
 *
 * @param startMillis first timestamp, inclusive, in milliseconds since the epoch
 * @param endMillis last timestamp, inclusive
 */
public record ExpressionQuery(
    long startMillis, long endMillis, List<Metric> metrics, List<Formula> formulas) {
  public ExpressionQuery {
    metrics = List.copyOf(metrics);
    formulas = List.copyOf(formulas);
  }

  /**
   * The series of a query, with a name for formulas.
   *
   * @param id the name: letters, digits and underscores, not digits alone
   * @param query without its range
   * @param queryTags the names of the tags it filters by
   * @param fill the substitute for a value that is missing or NaN
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
   * @param fill the substitute for a missing value or NaN if another formula uses this one; null
   *     for 0 if it is missing, and no substitute for NaN
   */
  public record Formula(String id, String text, Join join, @Nullable Double fill) {}

  /**
   * How the series of a formula's variables are joined: those with the same tags.
   *
   * @param intersection whether a result needs a series of each variable; otherwise one series
   *     suffices
   * @param byQueryTags whether only filtered tags are compared
   * @param withAggregatedTags whether the names of aggregated tags must be the same, too
   */
  public record Join(boolean intersection, boolean byQueryTags, boolean withAggregatedTags) {
    /** The default. */
    public static final Join DEFAULT = new Join(false, false, true);
  }
}
