package org.hourstone.query.rows;

import org.hourstone.codec.Timestamps;
import org.hourstone.query.Query;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/**
 * The hours of rows a query reads: those that have the {@linkplain NeededTime time it needs}. In
 * strict mode they are computed from nominal intervals, as in OpenTSDB.
 *
 * @param startSeconds the first row's base time
 * @param stopSeconds the base time of the row after the last
 */
public record ScanRange(long startSeconds, long stopSeconds) {
  /** The rows that have some time. */
  static ScanRange of(NeededTime time, RowSpan span) {
    long last = (time.untilMillis() - 1) / 1000;
    return new ScanRange(span.baseTime(time.fromMillis() / 1000), span.next(span.baseTime(last)));
  }

  /** The rows of points in OpenTSDB. */
  public static ScanRange nominal(
      long startMillis, long endMillis, @Nullable Downsample downsample) {
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
  public boolean contains(long baseTime) {
    return baseTime >= startSeconds && baseTime < stopSeconds;
  }

  /** Whether it has all hours of another one. */
  public boolean contains(ScanRange other) {
    return startSeconds <= other.startSeconds && stopSeconds >= other.stopSeconds;
  }

  /** About how many rows a series has in it. */
  public long rows(RowSpan span) {
    return (stopSeconds - startSeconds + span.maxSeconds() - 1) / span.maxSeconds();
  }

  /**
   * The rows of rolled-up values in OpenTSDB: one row after those of the range, and one before it
   * for rates.
   */
  public static ScanRange nominalOfRollups(Query query, RollupInterval interval) {
    RowSpan span = interval.rowSpan();
    long start = span.baseTime(query.startMillis() / 1000);
    if (query.rate() != null && start > 0) {
      start = span.baseTime(start - 1); // for the change since the bucket before
    }
    long end = Math.min(query.endMillis() / 1000, Timestamps.MAX_SECONDS) + 1;
    return new ScanRange(start, span.baseTime(end + interval.perRow() * interval.seconds()));
  }
}
