package org.hourstone.query;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How values of one instant, or of one downsampling bucket, become one. Each has two forms: over
 * integers, when all of the values are, and over doubles, which pass over values that are not a
 * number. See {@code docs/query.md#aggregators}.
 */
public enum Aggregator {
  /** Wraps around over integers. */
  SUM("sum", Interpolation.LINEAR) {
    @Override
    long ofLongs(long[] values, int count) {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += values[i];
      }
      return sum;
    }

    @Override
    double ofDoubles(double[] values, int count) {
      double sum = 0;
      int numbers = 0;
      for (int i = 0; i < count; i++) {
        if (!Double.isNaN(values[i])) {
          sum += values[i];
          numbers++;
        }
      }
      return numbers == 0 ? Double.NaN : sum;
    }
  },

  MIN("min", Interpolation.LINEAR) {
    @Override
    long ofLongs(long[] values, int count) {
      long min = Long.MAX_VALUE;
      for (int i = 0; i < count; i++) {
        min = Math.min(min, values[i]);
      }
      return min;
    }

    @Override
    double ofDoubles(double[] values, int count) {
      double min = Double.POSITIVE_INFINITY;
      for (int i = 0; i < count; i++) {
        if (!Double.isNaN(values[i]) && values[i] < min) {
          min = values[i];
        }
      }
      return min == Double.POSITIVE_INFINITY ? Double.NaN : min;
    }
  },

  MAX("max", Interpolation.LINEAR) {
    @Override
    long ofLongs(long[] values, int count) {
      long max = Long.MIN_VALUE;
      for (int i = 0; i < count; i++) {
        max = Math.max(max, values[i]);
      }
      return max;
    }

    @Override
    double ofDoubles(double[] values, int count) {
      double max = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < count; i++) {
        if (!Double.isNaN(values[i]) && values[i] > max) {
          max = values[i];
        }
      }
      return max == Double.NEGATIVE_INFINITY ? Double.NaN : max;
    }
  },

  /** Over integers the division cuts off. */
  AVG("avg", Interpolation.LINEAR) {
    @Override
    long ofLongs(long[] values, int count) {
      return SUM.ofLongs(values, count) / count;
    }

    @Override
    double ofDoubles(double[] values, int count) {
      double sum = 0;
      int numbers = 0;
      for (int i = 0; i < count; i++) {
        if (!Double.isNaN(values[i])) {
          sum += values[i];
          numbers++;
        }
      }
      return numbers == 0 ? Double.NaN : sum / numbers;
    }
  },

  /** How many series have a value, interpolated ones included; or how many points a bucket has. */
  COUNT("count", Interpolation.ZERO) {
    @Override
    long ofLongs(long[] values, int count) {
      return count;
    }

    @Override
    double ofDoubles(double[] values, int count) {
      int numbers = 0;
      for (int i = 0; i < count; i++) {
        if (!Double.isNaN(values[i])) {
          numbers++;
        }
      }
      return numbers;
    }
  },

  /** Leaves every series as it is. Not for downsampling. */
  NONE("none", Interpolation.ZERO) {
    @Override
    long ofLongs(long[] values, int count) {
      checkSingle(count);
      return values[0];
    }

    @Override
    double ofDoubles(double[] values, int count) {
      checkSingle(count);
      return values[0];
    }

    private void checkSingle(int count) {
      if (count != 1) {
        throw new IllegalStateException("aggregator none over " + count + " series");
      }
    }
  };

  private static final Map<String, Aggregator> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(a -> a.requestName, a -> a));

  private final String requestName;
  private final Interpolation interpolation;

  Aggregator(String requestName, Interpolation interpolation) {
    this.requestName = requestName;
    this.interpolation = interpolation;
  }

  /** The name used in requests, such as {@code sum}. */
  public String requestName() {
    return requestName;
  }

  Interpolation interpolation() {
    return interpolation;
  }

  /** Aggregates the first {@code count} values, at least one. */
  abstract long ofLongs(long[] values, int count);

  /** Aggregates the first {@code count} values, at least one; some may be not a number. */
  abstract double ofDoubles(double[] values, int count);

  /**
   * The aggregator of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Aggregator parse(String name) {
    Aggregator aggregator = BY_NAME.get(name);
    if (aggregator == null) {
      throw new IllegalArgumentException(
          "No such aggregation function: " + name + " (known: " + names() + ")");
    }
    return aggregator;
  }

  private static String names() {
    return Arrays.stream(values()).map(a -> a.requestName).collect(Collectors.joining(", "));
  }
}
