package org.hourstone.query;

/**
 * What one query may use, and all that run at once. Each is {@link #UNLIMITED} for any amount.
 *
 * @param points how many points are read ({@code tsd.query.limits.data_points.default})
 * @param bytes how many bytes of rows are read ({@code tsd.query.limits.bytes.default})
 * @param series how many series are read ({@code hourstone.query.limits.series})
 * @param millis how long it takes ({@code tsd.query.timeout})
 * @param heldBytes how much memory points take that one query holds at a time ({@code
 *     hourstone.query.limits.held_bytes})
 * @param totalHeldBytes the same of all queries together ({@code
 *     hourstone.query.limits.total_held_bytes})
 * @param regexSteps how often regular expressions look at a character ({@code
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
