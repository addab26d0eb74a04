package org.hourstone.query;

import org.hourstone.codec.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The hours of rows a query reads, which are more than it answers: points before and after its
 * range feed interpolation, and buckets at its edges are filled. See {@code docs/query.md#range}.
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
}
