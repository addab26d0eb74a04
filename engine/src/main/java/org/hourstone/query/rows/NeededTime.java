package org.hourstone.query.rows;

import org.hourstone.codec.Timestamps;
import org.hourstone.query.Query;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Buckets;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The time whose points a query needs. It has all of the buckets that its range touches, so the
 * values of the first and last bucket are those of whole buckets. See {@code docs/query.md#range}.
 *
 * @param fromMillis the first timestamp
 * @param untilMillis the timestamp after the last
 */
record NeededTime(long fromMillis, long untilMillis) {
  private static final long HOUR_MILLIS = Timestamps.ROW_SECONDS * 1000L;
  private static final long LAST_MILLIS = Timestamps.MAX_SECONDS * 1000L + 999;

  /** The range, in whole buckets. */
  static NeededTime ofRange(Query query) {
    Downsample buckets = buckets(query);
    long start = Math.min(query.startMillis(), LAST_MILLIS);
    long end = Math.min(query.endMillis(), LAST_MILLIS);
    return buckets == null
        ? new NeededTime(start, end + 1)
        : new NeededTime(
            Math.max(0, Buckets.start(buckets, start)),
            Math.min(Buckets.end(buckets, end), LAST_MILLIS + 1));
  }

  /**
   * The same, and around it the time of the points that interpolation and rates need: an hour, or
   * the next bucket if it ends later. The values of a range then are those of any longer range, if
   * the points of each series are not farther apart.
   */
  static NeededTime around(Query query) {
    NeededTime range = ofRange(query);
    boolean merges = usesNeighbours(query);
    int before = (merges ? 1 : 0) + (hasRates(query) ? 1 : 0);
    int after = merges ? 1 : 0;
    Downsample buckets = buckets(query);
    long hour = isFilled(query) ? 0 : HOUR_MILLIS;
    long from = range.fromMillis - (before > 0 ? hour : 0);
    long until = range.untilMillis + (after > 0 ? hour : 0);
    if (buckets != null) {
      from = Math.min(from, bucketsBefore(buckets, range.fromMillis, before));
      until = after > 0 ? Math.max(until, Buckets.end(buckets, range.untilMillis)) : until;
    }
    return new NeededTime(Math.max(0, from), Math.min(until, LAST_MILLIS + 1));
  }

  private static long bucketsBefore(Downsample buckets, long millis, int count) {
    long from = millis;
    for (int i = 0; i < count && from > 0; i++) {
      from = Buckets.start(buckets, from - 1);
    }
    return from;
  }

  /** The buckets of a query, unless it has none, or one for its whole range. */
  private static @Nullable Downsample buckets(Query query) {
    Downsample downsample = query.downsample();
    return downsample == null || downsample.isAll() ? null : downsample;
  }

  private static boolean isOneBucket(Query query) {
    return query.downsample() != null && query.downsample().isAll();
  }

  private static boolean hasRates(Query query) {
    return query.rate() != null && !isOneBucket(query);
  }

  /** Whether a series' value at a timestamp may be computed from points before and after it. */
  private static boolean usesNeighbours(Query query) {
    if (query.aggregator() == Aggregator.NONE
        || query.source().histograms() != null
        || isOneBucket(query)) {
      return false;
    }
    if (query.rate() != null) {
      return !isFilled(query) || query.rate().dropResets();
    }
    return !isFilled(query) && query.aggregator().usesNeighbours();
  }

  /** Whether each series has a value in every bucket. */
  static boolean isFilled(Query query) {
    Downsample buckets = buckets(query);
    return buckets != null && buckets.fill() != FillPolicy.NONE;
  }
}
