package org.hourstone.query.plan;

import java.util.List;
import org.hourstone.codec.Timestamps;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.Downsample;

/**
 * Determines where the hours of rows may be cut into slices that can be read independently: between
 * any two hours, that is, between rows; or, if points are downsampled as they are read, only where
 * a bucket ends, too. Immutable.
 */
public final class SliceCutting {
  /** Slices that would have to be longer than this are not downsampled as they are read. */
  private static final long LONGEST_UNIT = 7 * 24 * Timestamps.ROW_SECONDS;

  private final RowSpan span;
  private final long stopSeconds;

  /** Cuts are at multiples of this, if a query's points are downsampled as they are read. */
  private final long unitSeconds;

  private final boolean downsamples;

  private SliceCutting(Plan rows, long unitSeconds, boolean downsamples) {
    this.span = rows.source().span();
    this.stopSeconds = rows.range().stopSeconds();
    this.unitSeconds = unitSeconds;
    this.downsamples = downsamples;
  }

  /**
   * @param rows which are read
   * @param plans of the queries for which they are read
   */
  public static SliceCutting of(Plan rows, List<Plan> plans) {
    long hour = rows.source().span().maxSeconds();
    long least = Long.MAX_VALUE;
    for (Plan plan : plans) {
      long own = unitSeconds(plan);
      least = Math.min(least, own == 0 ? hour : own);
    }
    long unit = least;
    return new SliceCutting(rows, unit, plans.stream().anyMatch(plan -> ends(plan, unit)));
  }

  /** Whether a query's buckets end at all multiples of a number of seconds. */
  private static boolean ends(Plan plan, long unit) {
    long own = unitSeconds(plan);
    return own != 0 && unit % own == 0;
  }

  /** After how many seconds a bucket and a row of a query end together; 0 if that is too seldom. */
  private static long unitSeconds(Plan plan) {
    Downsample downsample = plan.query().downsample();
    RowSpan span = plan.source().span();
    if (downsample == null || downsample.isAll() || downsample.calendar() || !span.isRegular()) {
      return 0;
    }
    long unit = commonMultiple(downsample.intervalMillis(), span.maxSeconds() * 1000);
    return unit <= LONGEST_UNIT * 1000 ? unit / 1000 : 0;
  }

  private static long commonMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return a / x > Long.MAX_VALUE / b ? Long.MAX_VALUE : a / x * b;
  }

  /**
   * Whether the points of a query are downsampled as they are read; else that is done to the
   * slices' points. So it is for the longer buckets of queries that are read together with others,
   * whose slices need not be as long.
   */
  public boolean downsamples(Plan plan) {
    return ends(plan, unitSeconds);
  }

  /** A place to cut after the hour {@code last} and not after {@code next}, or {@code last}. */
  public long between(long last, long next) {
    long cut = downsamples ? next - next % unitSeconds : next;
    return cut > last ? cut : last;
  }

  /** Whether these hours are those of one row of each series. */
  public boolean isHour(ScanRange hours) {
    return span.next(hours.startSeconds()) >= hours.stopSeconds();
  }

  /** The end of a slice of about {@code seconds} seconds; both in seconds since the epoch. */
  public long end(long start, long seconds) {
    long end = start + Math.max(seconds, unitSeconds);
    long cut = downsamples ? end - end % unitSeconds : span.baseTime(end);
    return Math.min(cut, stopSeconds);
  }
}
