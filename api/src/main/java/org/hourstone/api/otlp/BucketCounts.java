package org.hourstone.api.otlp;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.jspecify.annotations.Nullable;

/**
 * How many values of a data point are not above each of its bounds, which ascend. For one thread.
 */
final class BucketCounts {
  private static final int FIRST_CAPACITY = 16;

  private double[] bounds = new double[FIRST_CAPACITY];
  private long[] counts = new long[FIRST_CAPACITY];
  private int size;

  void clear() {
    size = 0;
  }

  /**
   * @param bound above all before it, unless they are {@linkplain #reverse reversed}; infinity for
   *     the last one
   * @param notAbove may have 64 bits
   */
  void add(double bound, long notAbove) {
    if (size == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    bounds[size] = bound;
    counts[size] = notAbove;
    size++;
  }

  /** Reverses the order. */
  void reverse() {
    for (int low = 0, high = size - 1; low < high; low++, high--) {
      double bound = bounds[low];
      bounds[low] = bounds[high];
      bounds[high] = bound;
      long count = counts[low];
      counts[low] = counts[high];
      counts[high] = count;
    }
  }

  int size() {
    return size;
  }

  double bound(int i) {
    return bounds[i];
  }

  long count(int i) {
    return counts[i];
  }

  /**
   * The same as a histogram point; null if a bound, which has 4 bytes there, or a count would
   * change, or if there are fewer than two bounds or more than its codec has room for.
   */
  @Nullable SimpleHistogram exactly() {
    int last = size - 1; // all finite bounds are before it
    boolean isPossible =
        last >= 2
            && last - 1 <= SimpleHistogram.MAX_BUCKETS
            && bounds[last] == Double.POSITIVE_INFINITY
            && counts[last] >= 0;
    for (int i = 0; isPossible && i < last; i++) {
      isPossible = (float) bounds[i] == bounds[i];
    }
    if (!isPossible) {
      return null;
    }
    SortedMap<Bucket, Long> buckets = new TreeMap<>();
    for (int i = 1; i < last; i++) {
      Bucket bucket = new Bucket((float) bounds[i - 1] + 0f, (float) bounds[i] + 0f); // 0, not -0
      buckets.put(bucket, counts[i] - counts[i - 1]);
    }
    return new SimpleHistogram(buckets, counts[0], counts[last] - counts[last - 1]);
  }
}
