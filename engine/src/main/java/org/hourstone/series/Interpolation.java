package org.hourstone.series;

import java.math.BigInteger;

/** The contribution of a series at a timestamp between two of its points. */
public enum Interpolation {
  /** The value on the line between the two points; integers are truncated towards zero. */
  LINEAR {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      long rise = y1 - y0;
      long product = (x - x0) * rise;
      boolean fits =
          ((y1 ^ y0) & (y1 ^ rise)) >= 0
              && Math.multiplyHigh(x - x0, rise) == product >> (Long.SIZE - 1);
      return fits ? y0 + product / (x1 - x0) : exact(x, x0, y0, x1, y1);
    }

    private long exact(long x, long x0, long y0, long x1, long y1) {
      return BigInteger.valueOf(y1)
          .subtract(BigInteger.valueOf(y0))
          .multiply(BigInteger.valueOf(x - x0))
          .divide(BigInteger.valueOf(x1 - x0))
          .add(BigInteger.valueOf(y0))
          .longValue();
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
    }
  },

  /** As {@link #LINEAR}, but the product of integers wraps around. */
  WRAPPED_LINEAR {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
    }
  },

  /** Zero. */
  ZERO {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return 0;
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return 0;
    }
  },

  /** The greatest possible value, so that it does not affect a minimum. */
  MAX {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return Long.MAX_VALUE;
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return Double.MAX_VALUE;
    }
  },

  /** The least possible value, so that it does not affect a maximum. */
  MIN {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return Long.MIN_VALUE;
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return -Double.MAX_VALUE;
    }
  },

  /** As {@link #MIN}, but for doubles the least positive value. */
  POSITIVE_MIN {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return Long.MIN_VALUE;
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return Double.MIN_VALUE;
    }
  },

  /** The value of the previous point. */
  PREVIOUS {
    @Override
    long between(long x, long x0, long y0, long x1, long y1) {
      return y0;
    }

    @Override
    double between(long x, long x0, double y0, long x1, double y1) {
      return y0;
    }
  };

  /**
   * The value at {@code x} of a series with points at {@code x0} before and {@code x1} after it.
   */
  abstract long between(long x, long x0, long y0, long x1, long y1);

  abstract double between(long x, long x0, double y0, long x1, double y1);
}
