package org.hourstone.testing.reference;

import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The range of a query, both ends included, and the whole hours that are read for it.
 *
 * @param startMillis the first timestamp answered
 * @param endMillis the last timestamp answered
 * @param scanStartMillis the first timestamp read
 * @param scanStopMillis the first timestamp not read any more
 * @param ownStartMillis the first timestamp of the hours of the range and its buckets: the others
 *     are only read for interpolation and rates
 * @param ownStopMillis the first timestamp after them
 */
record Window(
    long startMillis,
    long endMillis,
    long scanStartMillis,
    long scanStopMillis,
    long ownStartMillis,
    long ownStopMillis) {
  private static final long HOUR = 3600;
  private static final long HOUR_MILLIS = 3_600_000;

  /** Those that combine no value of a series that has none at a time. */
  private static final List<String> ALONE =
      List.of("none", "zimsum", "squareSum", "mimmin", "mimmax");

  static Window of(long startMillis, long endMillis, SubQuery query, Mode mode) {
    return mode.nominalHours()
        ? nominal(startMillis, endMillis, query.downsampling())
        : needed(startMillis, endMillis, query);
  }

  static Window nominal(long startMillis, long endMillis, @Nullable Downsampling downsampling) {
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
    return new Window(startMillis, endMillis, start * 1000, end * 1000, start * 1000, end * 1000);
  }

  private static Window needed(long startMillis, long endMillis, SubQuery query) {
    Downsampling given = query.downsampling();
    boolean one = given != null && given.interval() == null;
    Downsampling buckets = one ? null : given;
    Rates rates = one ? null : query.rates();
    boolean filled = buckets != null && buckets.fills();
    boolean gaps = !filled || (rates != null && rates.dropResets());
    boolean between =
        !one
            && gaps
            && !query.aggregator().equals("none")
            && (rates != null || !ALONE.contains(query.aggregator()));
    int before = (rates == null ? 0 : 1) + (between ? 1 : 0);
    long from = startMillis;
    long stop = endMillis + 1;
    long first = from;
    long last = stop;
    if (buckets != null) {
      from = buckets.start(startMillis);
      stop = buckets.next(buckets.start(endMillis));
      first = from;
      for (int i = 0; i < before && first > 0; i++) {
        first = buckets.start(first - 1);
      }
      last = between ? buckets.next(stop) : stop;
    }
    long ownFrom = hourOf(from);
    long ownStop = hourOf(stop + HOUR_MILLIS - 1);
    if (!filled) {
      first = before > 0 ? Math.min(first, from - HOUR_MILLIS) : first;
      last = between ? Math.max(last, stop + HOUR_MILLIS) : last;
    }
    first = hourOf(Math.max(0, first));
    last = hourOf(last + HOUR_MILLIS - 1);
    return filled
        ? new Window(startMillis, endMillis, first, last, first, last)
        : new Window(startMillis, endMillis, first, last, Math.max(0, ownFrom), ownStop);
  }

  private static long hourOf(long millis) {
    return millis - millis % HOUR_MILLIS;
  }

  NavigableMap<Long, Number> read(NavigableMap<Long, Number> points) {
    return points.subMap(scanStartMillis, true, scanStopMillis, false);
  }

  /** Whether a series has points in the hours of the range. */
  boolean has(NavigableMap<Long, Number> points) {
    return !points.subMap(ownStartMillis, true, ownStopMillis, false).isEmpty();
  }

  /** Whether a series has points in the hours of the range, or around them. */
  boolean concerns(NavigableMap<Long, Number> points) {
    return has(points)
        || (!points.subMap(scanStartMillis, true, ownStartMillis, false).isEmpty()
            && !points.subMap(ownStopMillis, true, scanStopMillis, false).isEmpty());
  }
}
