package org.hourstone.query;

import org.hourstone.codec.Timestamps;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * Determines where a query's hours may be cut into slices that can be read independently: between
 * any two hours, that is, between rows; or, if points are downsampled as they are read, only where
 * a bucket ends, too. Immutable.
 */
final class SliceCutting {
  /** Slices that would have to be longer than this are not downsampled as they are read. */
  private static final long LONGEST_UNIT = 7 * 24 * Timestamps.ROW_SECONDS;

  private final Plan plan;
  private final long unitSeconds;
  private final boolean downsamples;

  private SliceCutting(Plan plan, long unitSeconds, boolean downsamples) {
    this.plan = plan;
    this.unitSeconds = unitSeconds;
    this.downsamples = downsamples;
  }

  static SliceCutting of(Plan plan) {
    Downsample downsample = plan.query().downsample();
    RowSpan span = plan.source().span();
    if (downsample != null && !downsample.isAll() && !downsample.calendar() && span.isRegular()) {
      long unit = commonMultiple(downsample.intervalMillis(), span.maxSeconds() * 1000);
      if (unit <= LONGEST_UNIT * 1000) {
        return new SliceCutting(plan, unit / 1000, true);
      }
    }
    return new SliceCutting(plan, span.maxSeconds(), false);
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

  /** The plan whose hours are cut. */
  Plan plan() {
    return plan;
  }

  /** Whether points are downsampled as they are read; else that is done to the slices' points. */
  boolean downsamples() {
    return downsamples;
  }

  /**
   * The step applied to the points of a series in one slice as they are read, or null.
   *
   * @param memory of the step
   */
  @Nullable ColumnStep newStep(MemoryLease memory) {
    Downsample downsample = plan.query().downsample();
    long scanMillis = plan.range().startSeconds() * 1000;
    return downsamples && downsample != null
        ? plan.source().downsampling(plan.query(), downsample, scanMillis, memory)
        : null;
  }

  /** How many buckets the points of a series in some hours have that are downsampled as read. */
  int buckets(ScanRange hours, int most) {
    Downsample downsample = plan.query().downsample();
    if (!downsamples || downsample == null) {
      return 0;
    }
    long millis = (hours.stopSeconds() - hours.startSeconds()) * 1000;
    return (int) Math.min(most, millis / downsample.intervalMillis());
  }

  /** A place to cut after the hour {@code last} and not after {@code next}, or {@code last}. */
  long between(long last, long next) {
    long cut = downsamples ? next - next % unitSeconds : next;
    return cut > last ? cut : last;
  }

  /** Whether these hours are those of one row of each series. */
  boolean isHour(ScanRange hours) {
    return plan.source().span().next(hours.startSeconds()) >= hours.stopSeconds();
  }

  /** The end of a slice of about {@code seconds} seconds; both in seconds since the epoch. */
  long end(long start, long seconds) {
    long end = start + Math.max(seconds, unitSeconds);
    long cut = downsamples ? end - end % unitSeconds : plan.source().span().baseTime(end);
    return Math.min(cut, plan.range().stopSeconds());
  }
}
