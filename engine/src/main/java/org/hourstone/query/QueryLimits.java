package org.hourstone.query;

/**
 * The limits of one query, and of all that run at once. Each is {@link #UNLIMITED} for no limit.
 *
 * @param points how many points are read ({@code tsd.query.limits.data_points.default})
 * @param bytes how many bytes of rows are read ({@code tsd.query.limits.bytes.default})
 * @param series how many series are read ({@code hourstone.query.limits.series})
 * @param millis how long it takes ({@code tsd.query.timeout})
 * @param heldBytes how much memory the points of one query take at a time ({@code
 *     hourstone.query.limits.held_bytes})
 * @param totalHeldBytes how much memory the points of all queries take at a time ({@code
 *     hourstone.query.limits.total_held_bytes})
 * @param regexSteps how many characters regular expressions read ({@code
 *     hourstone.query.limits.regex_steps})
 */
public record QueryLimits(
    long points,
    long bytes,
    long series,
    long millis,
    long heldBytes,
    long totalHeldBytes,
    long regexSteps) {
  public static final long UNLIMITED = 0;

  /** No limits at all. */
  public static final QueryLimits NONE = new QueryLimits(0, 0, 0, 0, 0, 0, 0);

  static boolean isExceeded(long used, long limit) {
    return limit != UNLIMITED && used > limit;
  }
}
