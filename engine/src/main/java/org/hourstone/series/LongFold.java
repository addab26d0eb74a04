package org.hourstone.series;

import java.util.Arrays;

/**
 * Reduces several integers to one, as OpenTSDB does: results beyond 64 bits wrap around; those that
 * are not whole are truncated towards zero. See {@link ExactFold} for our way.
 */
@FunctionalInterface
interface LongFold {
  /**
   * @param values the array whose first {@code count} elements, at least one, are the values; it
   *     may be reordered
   */
  long of(long[] values, int count);

  static long sum(long[] values, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
    }
    return sum;
  }

  static long sumOfSquares(long[] values, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i] * values[i];
    }
    return sum;
  }

  static long min(long[] values, int count) {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, values[i]);
    }
    return min;
  }

  static long max(long[] values, int count) {
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      max = Math.max(max, values[i]);
    }
    return max;
  }

  static long average(long[] values, int count) {
    return sum(values, count) / count;
  }

  static long product(long[] values, int count) {
    long product = 1;
    for (int i = 0; i < count; i++) {
      product *= values[i];
    }
    return product;
  }

  static long count(long[] values, int count) {
    return count;
  }

  static long first(long[] values, int count) {
    return values[0];
  }

  static long last(long[] values, int count) {
    return values[count - 1];
  }

  static long difference(long[] values, int count) {
    return values[count - 1] - values[0];
  }

  /** The standard deviation, computed in doubles and truncated. */
  static long deviation(long[] values, int count) {
    Accumulator.Deviation deviation = new Accumulator.Deviation();
    for (int i = 0; i < count; i++) {
      deviation.add((double) values[i]);
    }
    return (long) deviation.take();
  }

  static long single(long[] values, int count) {
    if (count != 1) {
      throw new IllegalStateException("aggregator none over " + count + " series");
    }
    return values[0];
  }

  /** The middle value; of two middle values, the upper one. */
  static long median(long[] values, int count) {
    Arrays.sort(values, 0, count);
    return values[count / 2];
  }

  static LongFold percentile(Percentile percentile) {
    return (values, count) -> {
      Arrays.sort(values, 0, count);
      return (long) percentile.of(values, count);
    };
  }
}
