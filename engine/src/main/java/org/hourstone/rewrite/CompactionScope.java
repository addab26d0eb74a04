package org.hourstone.rewrite;

import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * The rows to compact. Immutable.
 *
 * @param metric their metric; null for all
 * @param firstHour the first base time, in seconds since the epoch
 * @param lastHour the last base time
 */
public record CompactionScope(@Nullable String metric, long firstHour, long lastHour) {
  public CompactionScope {
    if (firstHour < 0 || firstHour > lastHour) {
      throw new RequestException("hours from " + firstHour + " to " + lastHour);
    }
  }

  /** All rows. */
  public static CompactionScope everything() {
    return new CompactionScope(null, 0, Timestamps.MAX_SECONDS);
  }

  /** This scope, restricted to a metric. */
  public CompactionScope ofMetric(String name) {
    return new CompactionScope(name, firstHour, lastHour);
  }

  /**
   * This scope, restricted to the hours that overlap a range, both ends inclusive.
   *
   * @param startMillis since the epoch
   * @param endMillis since the epoch
   * @throws RequestException if the range ends before it starts, or starts before 1970
   */
  public CompactionScope between(long startMillis, long endMillis) {
    return new CompactionScope(metric, hour(startMillis), hour(endMillis));
  }

  /** Whether the scope has no end. */
  boolean isOpen() {
    return lastHour + Timestamps.ROW_SECONDS > Timestamps.MAX_SECONDS;
  }

  private static long hour(long millis) {
    long seconds = Math.min(Math.floorDiv(millis, 1000), Timestamps.MAX_SECONDS);
    return seconds - Math.floorMod(seconds, (long) Timestamps.ROW_SECONDS);
  }
}
