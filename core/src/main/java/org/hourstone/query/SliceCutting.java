package org.hourstone.query;

import org.hourstone.codec.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * Where a query's hours may be cut into slices so that each can be read by itself: between any two
 * hours; or, if points are downsampled as they are read, where a bucket ends, too. Immutable.
 */
final class SliceCutting {
  /** Slices that would have to be longer than this are not downsampled as they are read. */
  private static final long LONGEST_UNIT = 7 * 24 * Timestamps.ROW_SECONDS;

  private final Query query;
  private final ScanRange range;
  private final long unitSeconds;
  private final boolean downsamples;

  private SliceCutting(Query query, ScanRange range, long unitSeconds, boolean downsamples) {
    this.query = query;
    this.range = range;
    this.unitSeconds = unitSeconds;
    this.downsamples = downsamples;
  }

  static SliceCutting of(Query query, ScanRange range) {
    Downsample downsample = query.downsample();
    if (downsample != null && !downsample.isAll() && !downsample.calendar()) {
      long unit = commonMultiple(downsample.intervalMillis(), Timestamps.ROW_SECONDS * 1000);
      if (unit <= LONGEST_UNIT * 1000) {
        return new SliceCutting(query, range, unit / 1000, true);
      }
    }
    return new SliceCutting(query, range, Timestamps.ROW_SECONDS, false);
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

  /** Whether points are downsampled as they are read; else that is done to the slices' points. */
  boolean downsamples() {
    return downsamples;
  }

  /** What the points of a series in one slice go through as they are read, or null. */
  @Nullable ColumnStep newStep() {
    Downsample downsample = query.downsample();
    return downsamples && downsample != null
        ? new DownsampleStep(
            downsample, query.startMillis(), query.endMillis(), range.startSeconds() * 1000)
        : null;
  }

  /** A place to cut after the hour {@code last} and not after {@code next}, or {@code last}. */
  long between(long last, long next) {
    long cut = next - next % unitSeconds;
    return cut > last ? cut : last;
  }

  /** The end of a slice of about so many seconds; both in seconds since the epoch. */
  long end(long start, long seconds) {
    long end = start + Math.max(seconds, unitSeconds);
    return Math.min(end - end % unitSeconds, range.stopSeconds());
  }
}
