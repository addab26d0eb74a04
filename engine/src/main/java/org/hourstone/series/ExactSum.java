package org.hourstone.series;

import java.math.BigInteger;

/**
 * A sum of up to 2<sup>31</sup> integers or squares of integers, of any size. Its four parts of 32
 * bits are summed apart, so that no carry is needed before the end.
 */
final class ExactSum {
  private static final long LOW = 0xFFFF_FFFFL;

  private long first;
  private long second;
  private long third;
  private long fourth;

  void add(long value) {
    first += value & LOW;
    second += value >> Integer.SIZE;
  }

  void subtract(long value) {
    first -= value & LOW;
    second -= value >> Integer.SIZE;
  }

  void addSquare(long value) {
    long low = value * value;
    long high = Math.multiplyHigh(value, value);
    first += low & LOW;
    second += low >>> Integer.SIZE;
    third += high & LOW;
    fourth += high >> Integer.SIZE;
  }

  BigInteger value() {
    return BigInteger.valueOf(fourth)
        .shiftLeft(Integer.SIZE)
        .add(BigInteger.valueOf(third))
        .shiftLeft(Integer.SIZE)
        .add(BigInteger.valueOf(second))
        .shiftLeft(Integer.SIZE)
        .add(BigInteger.valueOf(first));
  }

  /** Adds the sum as a point: an integer if it fits in 64 bits, else the nearest double. */
  void addTo(long millis, PointColumn out) {
    long high = second + (first >> Integer.SIZE);
    if (third == 0 && fourth == 0 && high == (int) high) {
      out.addLong(millis, (high << Integer.SIZE) | (first & LOW));
    } else {
      add(value(), millis, out);
    }
  }

  static void add(BigInteger value, long millis, PointColumn out) {
    if (value.bitLength() < Long.SIZE) {
      out.addLong(millis, value.longValue());
    } else {
      out.addDouble(millis, value.doubleValue());
    }
  }

  /** A difference of two integers, as the nearest double. */
  static double difference(long one, long other) {
    long difference = one - other;
    if (((one ^ other) & (one ^ difference)) >= 0) {
      return difference;
    }
    ExactSum sum = new ExactSum();
    sum.add(one);
    sum.subtract(other);
    return sum.value().doubleValue();
  }
}
