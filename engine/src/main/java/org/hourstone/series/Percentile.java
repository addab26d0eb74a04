package org.hourstone.series;

import java.math.BigDecimal;

/**
 * The value at a rank among sorted values. Ranks count from 1. Between two ranks, the value is
 * interpolated linearly; below the first rank it is the first value, above the last rank the last
 * value.
 *
 * @param estimation how a percentage is converted to a rank
 * @param percent from 0 to 100
 */
record Percentile(Estimation estimation, double percent) implements Quantile {
  /**
   * Ways to estimate a percentile. {@link #R3} and {@link #R7} are named after types of the
   * statistics system R.
   */
  enum Estimation {
    /** The rank is {@code share * (count + 1)}. */
    LEGACY {
      @Override
      double place(double share, int count) {
        return share * (count + 1);
      }
    },

    /** The nearest rank; of two equally near ranks, the even one. */
    R3 {
      @Override
      double place(double share, int count) {
        return Math.rint(count * share);
      }
    },

    /** The rank is {@code 1 + share * (count - 1)}. */
    R7 {
      @Override
      double place(double share, int count) {
        return 1 + (count - 1) * share;
      }
    };

    abstract double place(double share, int count);
  }

  @Override
  public double of(double[] ascending, int count) {
    double place = place(count);
    if (place < 1) {
      return ascending[0];
    }
    if (place >= count) {
      return ascending[count - 1];
    }
    int below = (int) place;
    return between(ascending[below - 1], ascending[below], place - below);
  }

  double of(long[] ascending, int count) {
    double place = place(count);
    if (place < 1) {
      return ascending[0];
    }
    if (place >= count) {
      return ascending[count - 1];
    }
    int below = (int) place;
    return between((double) ascending[below - 1], (double) ascending[below], place - below);
  }

  /** The same, without a loss of digits: truncated towards zero. */
  long ofExact(long[] ascending, int count) {
    double place = place(count);
    if (place < 1) {
      return ascending[0];
    }
    if (place >= count) {
      return ascending[count - 1];
    }
    int below = (int) place;
    BigDecimal lower = BigDecimal.valueOf(ascending[below - 1]);
    BigDecimal more = BigDecimal.valueOf(ascending[below]).subtract(lower);
    return lower.add(more.multiply(new BigDecimal(place - below))).longValue();
  }

  private double place(int count) {
    return estimation.place(percent / 100, count);
  }

  private static double between(double lower, double upper, double share) {
    return lower + share * (upper - lower);
  }
}
