package org.hourstone.query;

import org.hourstone.codec.Timestamps;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/**
 * The hours of rows a query reads. They extend beyond its range: interpolation uses points before
 * and after the range, and buckets at its ends are complete. See {@code docs/query.md#range}.
 *
 * @param startSeconds the first row's base time
 * @param stopSeconds the base time of the row after the last
 */
record ScanRange(long startSeconds, long stopSeconds) {
  static ScanRange of(long startMillis, long endMillis, @Nullable Downsample downsample) {
    long start = startMillis / 1000;
    long end = Math.min(endMillis / 1000, Timestamps.MAX_SECONDS) + 1;
    if (downsample != null && !downsample.isAll()) {
      long interval = downsample.intervalMillis();
      start -= (start * 1000 % interval) / 1000;
      end += (interval - end * 1000 % interval) / 1000;
      long beyond = end % Timestamps.ROW_SECONDS;
      end += beyond == 0 ? 0 : Timestamps.ROW_SECONDS - beyond;
    } else {
      end += Timestamps.ROW_SECONDS - end % Timestamps.ROW_SECONDS;
    }
    return new ScanRange(start - start % Timestamps.ROW_SECONDS, end);
  }

  /** Whether a base time is that of a row in it. */
  boolean contains(long baseTime) {
    return baseTime >= startSeconds && baseTime < stopSeconds;
  }

  /** Whether it has all hours of another one. */
  boolean contains(ScanRange other) {
    return startSeconds <= other.startSeconds && stopSeconds >= other.stopSeconds;
  }

  /** About how many rows a series has in it. */
  long rows(RowSpan span) {
    return (stopSeconds - startSeconds + span.maxSeconds() - 1) / span.maxSeconds();
  }

  /**
   * The rows of rolled-up values.
   *
   * @param wholeBuckets whether all of the last bucket is read, however long; else one row after
   *     those of the range, as in OpenTSDB
   */
  static ScanRange ofRollups(Query query, RollupInterval interval, boolean wholeBuckets) {
    RowSpan span = interval.rowSpan();
    long start = span.baseTime(query.startMillis() / 1000);
    if (query.rate() != null && start > 0) {
      start = span.baseTime(start - 1); // for the change since the bucket before
    }
    long end = Math.min(query.endMillis() / 1000, Timestamps.MAX_SECONDS) + 1;
    long stop = span.baseTime(end + interval.perRow() * interval.seconds());
    Downsample downsample = query.downsample();
    if (wholeBuckets && downsample != null) {
      stop = Math.max(stop, span.next(span.baseTime(end + downsample.intervalMillis() / 1000)));
    }
    return new ScanRange(start, stop);
  }
}
