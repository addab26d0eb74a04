package org.hourstone.series;

/**
 * Reduces many doubles to one. The values arrive in order, in runs, so only {@link SortedValues}
 * needs memory for the points of a bucket. NaN values are skipped, except where a class says
 * otherwise. Reused after each result. Not thread-safe.
 */
abstract class Accumulator {
  /** Adds the values from {@code from} to {@code to}, exclusive. */
  abstract void add(double[] values, int from, int to);

  /**
   * Adds integers of at most four bytes, converted to doubles.
   *
   * @param values the range is as for {@code add}, with at least one value
   */
  void addIntegers(long[] values, int from, int to) {
    double[] doubles = new double[to - from];
    for (int i = from; i < to; i++) {
      doubles[i - from] = values[i];
    }
    add(doubles, 0, doubles.length);
  }

  /** The result of the values added since the last result, at least one. */
  abstract double take();

  /** The sum, starting at 0.0; NaN if all values are NaN. */
  static class Sum extends Accumulator {
    /** The sum of this number of four-byte integers is at most half of {@link #MOST_EXACT}. */
    private static final int MOST_AT_ONCE = 1 << 20;

    /** Up to this value, adding integers one by one as doubles gives the exact sum. */
    private static final double MOST_EXACT = 1L << 52;

    private double sum;
    private long count;

    @Override
    final void add(double[] values, int from, int to) {
      double newSum = sum;
      long newCount = count;
      for (int i = from; i < to; i++) {
        if (!Double.isNaN(values[i])) {
          newSum += values[i];
          newCount++;
        }
      }
      sum = newSum;
      count = newCount;
    }

    @Override
    final void addIntegers(long[] values, int from, int to) {
      if (to - from > MOST_AT_ONCE || Math.abs(sum) > MOST_EXACT || sum != Math.rint(sum)) {
        super.addIntegers(values, from, to);
        return;
      }
      long more = 0;
      for (int i = from; i < to; i++) {
        more += values[i];
      }
      sum += more;
      count += to - from;
    }

    @Override
    final double take() {
      double result = count == 0 ? Double.NaN : result(sum, count);
      sum = 0;
      count = 0;
      return result;
    }

    double result(double total, long numbers) {
      return total;
    }
  }

  static final class Average extends Sum {
    @Override
    double result(double total, long numbers) {
      return total / numbers;
    }
  }

  static final class SumOfSquares extends Accumulator {
    private double sum;
    private boolean empty = true;

    @Override
    void add(double[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        if (!Double.isNaN(values[i])) {
          sum += values[i] * values[i];
          empty = false;
        }
      }
    }

    @Override
    double take() {
      double result = empty ? Double.NaN : sum;
      sum = 0;
      empty = true;
      return result;
    }
  }

  /** NaN if no value is less than infinity. */
  static final class Min extends Accumulator {
    private double min = Double.POSITIVE_INFINITY;

    @Override
    void add(double[] values, int from, int to) {
      double newMin = min;
      for (int i = from; i < to; i++) {
        if (values[i] < newMin) {
          newMin = values[i];
        }
      }
      min = newMin;
    }

    @Override
    void addIntegers(long[] values, int from, int to) {
      long newMin = values[from];
      for (int i = from + 1; i < to; i++) {
        newMin = Math.min(newMin, values[i]);
      }
      if (newMin < min) {
        min = newMin;
      }
    }

    @Override
    double take() {
      double result = min == Double.POSITIVE_INFINITY ? Double.NaN : min;
      min = Double.POSITIVE_INFINITY;
      return result;
    }
  }

  /** NaN if no value is greater than negative infinity. */
  static final class Max extends Accumulator {
    private double max = Double.NEGATIVE_INFINITY;

    @Override
    void add(double[] values, int from, int to) {
      double newMax = max;
      for (int i = from; i < to; i++) {
        if (values[i] > newMax) {
          newMax = values[i];
        }
      }
      max = newMax;
    }

    @Override
    void addIntegers(long[] values, int from, int to) {
      long newMax = values[from];
      for (int i = from + 1; i < to; i++) {
        newMax = Math.max(newMax, values[i]);
      }
      if (newMax > max) {
        max = newMax;
      }
    }

    @Override
    double take() {
      double result = max == Double.NEGATIVE_INFINITY ? Double.NaN : max;
      max = Double.NEGATIVE_INFINITY;
      return result;
    }
  }

  /** The population standard deviation by Welford's method; 0 for a single value. */
  static final class Deviation extends Accumulator {
    private long count;
    private double mean;
    private double squares;

    @Override
    void add(double[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        add(values[i]);
      }
    }

    void add(double value) {
      if (Double.isNaN(value)) {
        return;
      }
      count++;
      if (count == 1) {
        mean = value;
      } else {
        double before = mean;
        mean += (value - before) / count;
        squares += (value - before) * (value - mean);
      }
    }

    @Override
    double take() {
      double result = count == 0 ? Double.NaN : Math.sqrt(squares / count);
      count = 0;
      mean = 0;
      squares = 0;
      return result;
    }
  }

  /**
   * The last value minus the first that is not NaN; 0 if no value follows it. If the last value is
   * NaN, so is the result.
   */
  static final class Difference extends Accumulator {
    private double first = Double.NaN;
    private double last;
    private boolean hasLast;

    @Override
    void add(double[] values, int from, int to) {
      int i = from;
      while (i < to && Double.isNaN(first)) {
        first = values[i++];
      }
      if (i < to) {
        last = values[to - 1];
        hasLast = true;
      }
    }

    @Override
    double take() {
      double alone = Double.isNaN(first) ? Double.NaN : 0;
      double result = hasLast ? last - first : alone;
      first = Double.NaN;
      hasLast = false;
      return result;
    }
  }

  /** NaN if any value is NaN. */
  static final class Product extends Accumulator {
    private double product = 1;

    @Override
    void add(double[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        product *= values[i];
      }
    }

    @Override
    double take() {
      double result = product;
      product = 1;
      return result;
    }
  }

  /** The number of values that are not NaN. */
  static final class Count extends Accumulator {
    private long count;

    @Override
    void add(double[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        if (!Double.isNaN(values[i])) {
          count++;
        }
      }
    }

    @Override
    double take() {
      double result = count;
      count = 0;
      return result;
    }
  }

  /** The first value, NaN included. */
  static final class First extends Accumulator {
    private double first;
    private boolean hasFirst;

    @Override
    void add(double[] values, int from, int to) {
      if (!hasFirst && from < to) {
        first = values[from];
        hasFirst = true;
      }
    }

    @Override
    double take() {
      hasFirst = false;
      return first;
    }
  }

  /** The last value, NaN included. */
  static final class Last extends Accumulator {
    private double last;

    @Override
    void add(double[] values, int from, int to) {
      if (from < to) {
        last = values[to - 1];
      }
    }

    @Override
    double take() {
      return last;
    }
  }

  /** The only value, NaN included. */
  static final class Single extends Accumulator {
    private double value;
    private long count;

    @Override
    void add(double[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        value = values[i];
        count++;
      }
    }

    @Override
    double take() {
      if (count != 1) {
        throw new IllegalStateException("aggregator none over " + count + " series");
      }
      count = 0;
      return value;
    }
  }
}
