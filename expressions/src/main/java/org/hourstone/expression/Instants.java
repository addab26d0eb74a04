package org.hourstone.expression;

import java.util.Arrays;
import java.util.List;
import org.hourstone.query.ResultSeries;

/** Timestamps of points: ascending, in milliseconds since the epoch. */
final class Instants {
  private static final long[] NONE = {};

  private Instants() {}

  static long[] of(ResultSeries series) {
    long[] times = new long[series.size()];
    for (int i = 0; i < times.length; i++) {
      times[i] = series.millis(i);
    }
    return times;
  }

  /** The timestamps of all points of the series. */
  static long[] union(List<ResultSeries> series) {
    return unionOf(series.stream().map(Instants::of).toList());
  }

  /** The union of all; merged pairwise, which is fast for many. */
  static long[] unionOf(List<long[]> all) {
    return switch (all.size()) {
      case 0 -> NONE;
      case 1 -> all.get(0);
      default ->
          merged(
              unionOf(all.subList(0, all.size() / 2)),
              unionOf(all.subList(all.size() / 2, all.size())));
    };
  }

  private static long[] merged(long[] a, long[] b) {
    if (Arrays.equals(a, b)) {
      return a; // as of series that are downsampled or collected alike
    }
    long[] both = new long[a.length + b.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      long time;
      if (j == b.length || (i < a.length && a[i] < b[j])) {
        time = a[i++];
      } else {
        time = b[j++];
        if (i < a.length && a[i] == time) {
          i++;
        }
      }
      both[size++] = time;
    }
    return size == both.length ? both : Arrays.copyOf(both, size);
  }

  /** The timestamps in a range, both ends included. */
  static long[] within(long[] times, long start, long end) {
    int from = firstFrom(times, start);
    int to = end == Long.MAX_VALUE ? times.length : firstFrom(times, end + 1);
    return from == 0 && to == times.length
        ? times
        : Arrays.copyOfRange(times, from, Math.max(from, to));
  }

  private static int firstFrom(long[] times, long time) {
    int at = Arrays.binarySearch(times, time);
    return at >= 0 ? at : -at - 1;
  }
}
