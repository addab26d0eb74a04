package org.hourstone.query;

/**
 * The limits of one query, of one request with all its queries, and of all requests at once. Each
 * is {@link #UNLIMITED} for no limit.
 *
 * @param points how many points a query reads ({@code tsd.query.limits.data_points.default})
 * @param bytes how many bytes of rows a query reads ({@code tsd.query.limits.bytes.default})
 * @param series how many series a query reads ({@code hourstone.query.limits.series})
 * @param millis how long threads work for a request ({@code tsd.query.timeout})
 * @param heldBytes how much memory a request takes at a time ({@code
 *     hourstone.query.limits.held_bytes})
 * @param totalHeldBytes how much memory all requests take at a time ({@code
 *     hourstone.query.limits.total_held_bytes})
 * @param regexSteps how many characters the regular expressions of a request read ({@code
 *     hourstone.query.limits.regex_steps})
 * @param queries how many queries a request has ({@code hourstone.query.limits.queries})
 * @param values how many values the expressions of a request have ({@code
 *     hourstone.expression.max_values})
 */
public record QueryLimits(
    long points,
    long bytes,
    long series,
    long millis,
    long heldBytes,
    long totalHeldBytes,
    long regexSteps,
    long queries,
    long values) {
  public static final long UNLIMITED = 0;

  /** No limits at all. */
  public static final QueryLimits NONE = new QueryLimits(0, 0, 0, 0, 0, 0, 0, 0, 0);

  static boolean isExceeded(long used, long limit) {
    return limit != UNLIMITED && used > limit;
  }
}
