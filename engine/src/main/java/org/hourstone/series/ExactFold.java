package org.hourstone.series;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Reduces several integers to one number: an integer if it fits in 64 bits, else the nearest
 * double. A result that is not whole is truncated towards zero. See {@link LongFold} for OpenTSDB's
 * way.
 */
@FunctionalInterface
interface ExactFold {
  /** Beyond, the product is infinite as a double. */
  int MOST_BITS = Double.MAX_EXPONENT + 1;

  /** Up to this, an integer is a double, too. */
  long MOST_EXACT = 1L << 53;

  /**
   * Adds the result as a point.
   *
   * @param values the array whose first {@code count} elements, at least one, are the values; it
   *     may be reordered
   */
  void add(long[] values, int count, long millis, PointColumn out);

  /** One whose results always fit, and are exact. */
  static ExactFold of(LongFold fold) {
    return (values, count, millis, out) -> out.addLong(millis, fold.of(values, count));
  }

  static void sum(long[] values, int count, long millis, PointColumn out) {
    long sum = 0;
    long bits = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
      bits |= values[i] ^ (values[i] >> (Long.SIZE - 1));
    }
    if (sumFits(bits, count)) {
      out.addLong(millis, sum);
    } else {
      exactSum(values, count).addTo(millis, out);
    }
  }

  /**
   * Whether no sum of some integers can overflow. It is tested once, as a test for each of them
   * takes longer.
   *
   * @param bits those that differ from the sign in any of them
   */
  private static boolean sumFits(long bits, int count) {
    int carries = Long.SIZE - Long.numberOfLeadingZeros(count - 1L);
    return bits >> (Long.SIZE - 1 - carries) == 0;
  }

  private static ExactSum exactSum(long[] values, int count) {
    ExactSum sum = new ExactSum();
    for (int i = 0; i < count; i++) {
      sum.add(values[i]);
    }
    return sum;
  }

  static void sumOfSquares(long[] values, int count, long millis, PointColumn out) {
    long sum = 0;
    long overflow = 0;
    for (int i = 0; i < count; i++) {
      long square = values[i] * values[i];
      sum += square;
      overflow |= -Math.multiplyHigh(values[i], values[i]) | square | sum;
    }
    if (overflow >= 0) {
      out.addLong(millis, sum);
    } else {
      exactSquares(values, count).addTo(millis, out);
    }
  }

  private static ExactSum exactSquares(long[] values, int count) {
    ExactSum sum = new ExactSum();
    for (int i = 0; i < count; i++) {
      sum.addSquare(values[i]);
    }
    return sum;
  }

  static void average(long[] values, int count, long millis, PointColumn out) {
    long sum = 0;
    long bits = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
      bits |= values[i] ^ (values[i] >> (Long.SIZE - 1));
    }
    out.addLong(
        millis,
        sumFits(bits, count)
            ? sum / count
            : exactSum(values, count).value().divide(BigInteger.valueOf(count)).longValue());
  }

  static void difference(long[] values, int count, long millis, PointColumn out) {
    ExactSum difference = new ExactSum();
    difference.add(values[count - 1]);
    difference.subtract(values[0]);
    difference.addTo(millis, out);
  }

  static void product(long[] values, int count, long millis, PointColumn out) {
    long product = 1;
    for (int i = 0; i < count; i++) {
      long next = product * values[i];
      if (Math.multiplyHigh(product, values[i]) != next >> (Long.SIZE - 1)) {
        ExactSum.add(exactProduct(values, count), millis, out);
        return;
      }
      product = next;
    }
    out.addLong(millis, product);
  }

  private static BigInteger exactProduct(long[] values, int count) {
    BigInteger product = BigInteger.ONE;
    for (int i = 0; i < count; i++) {
      if (values[i] == 0) {
        return BigInteger.ZERO;
      }
      if (product.bitLength() <= MOST_BITS) {
        product = product.multiply(BigInteger.valueOf(values[i]));
      }
    }
    return product;
  }

  /** The standard deviation; computed in doubles if all values are exact as such. */
  static void deviation(long[] values, int count, long millis, PointColumn out) {
    if (areDoubles(values, count)) {
      out.addLong(millis, LongFold.deviation(values, count));
      return;
    }
    BigInteger number = BigInteger.valueOf(count);
    BigInteger sum = exactSum(values, count).value();
    BigInteger squares = exactSquares(values, count).value();
    BigInteger scaled = squares.multiply(number).subtract(sum.multiply(sum)).sqrt();
    out.addLong(millis, scaled.divide(number).longValue());
  }

  private static boolean areDoubles(long[] values, int count) {
    for (int i = 0; i < count; i++) {
      if (values[i] < -MOST_EXACT || values[i] > MOST_EXACT) {
        return false;
      }
    }
    return true;
  }

  static ExactFold percentile(Percentile percentile) {
    return (values, count, millis, out) -> {
      Arrays.sort(values, 0, count);
      boolean inDoubles = values[0] >= -MOST_EXACT && values[count - 1] <= MOST_EXACT;
      out.addLong(
          millis,
          inDoubles ? (long) percentile.of(values, count) : percentile.ofExact(values, count));
    };
  }
}
