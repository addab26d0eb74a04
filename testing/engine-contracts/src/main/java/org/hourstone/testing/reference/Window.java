package org.hourstone.testing.reference;

import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The range of a query, both ends included, and the whole hours that are read for it.
 *
 * @param startMillis the first timestamp answered
 * @param endMillis the last timestamp answered
 * @param scanStartMillis the first timestamp read
 * @param scanStopMillis the first timestamp not read any more
 */
record Window(long startMillis, long endMillis, long scanStartMillis, long scanStopMillis) {
  private static final long HOUR = 3600;

  static Window of(long startMillis, long endMillis, @Nullable Downsampling downsampling) {
    long interval = downsampling == null ? 0 : downsampling.millisOfInterval();
    long start = startMillis / 1000;
    long end = endMillis / 1000 + 1;
    if (interval == 0) {
      end = end - end % HOUR + HOUR;
    } else {
      start -= 1000 * start % interval / 1000;
      end += (interval - 1000 * end % interval) / 1000;
      end += (HOUR - end % HOUR) % HOUR;
    }
    start = Math.max(0, start - start % HOUR);
    return new Window(startMillis, endMillis, start * 1000, end * 1000);
  }

  NavigableMap<Long, Number> read(NavigableMap<Long, Number> points) {
    return points.subMap(scanStartMillis, true, scanStopMillis, false);
  }
}
