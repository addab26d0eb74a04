package org.hourstone.rollup;

import org.hourstone.codec.Value;

/**
 * Sum, count, minimum and maximum of the points of an interval. Integers stay integers as long as
 * their sum is one of eight bytes; otherwise all are doubles, added one after the other in time
 * order. Not thread-safe.
 */
final class RolledValue {
  private long count;
  private boolean integers = true;
  private long integerSum;
  private long integerMin;
  private long integerMax;
  private double sum;
  private double min;
  private double max;

  void clear() {
    count = 0;
    integers = true;
    integerSum = 0;
    sum = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** How many points it is of. */
  long points() {
    return count;
  }

  /** Whether every value can be a double that is a number. */
  boolean isFinite() {
    return Double.isFinite(sum) && (count == 0 || (Double.isFinite(min) && Double.isFinite(max)));
  }

  /** Adds a point. */
  void add(boolean isFloat, long raw, double value) {
    add(1, isFloat, raw, raw, raw, value, value, value);
  }

  /**
   * Adds points that are integers of at most four bytes, whose sum is exactly a double.
   *
   * @param raws of these and others
   * @param from the first one
   * @param to after the last one; there is at least one
   */
  void addSmall(long[] raws, int from, int to) {
    long total = 0;
    long least = raws[from];
    long most = least;
    for (int i = from; i < to; i++) {
      total += raws[i];
      least = Math.min(least, raws[i]);
      most = Math.max(most, raws[i]);
    }
    add(to - from, false, total, least, most, (double) total, (double) least, (double) most);
  }

  /** Adds all points of a shorter interval. */
  void addAll(RolledValue other) {
    if (!other.isEmpty()) {
      add(
          other.count,
          !other.integers,
          other.integerSum,
          other.integerMin,
          other.integerMax,
          other.sum,
          other.min,
          other.max);
    }
  }

  private void add(
      long points,
      boolean isFloat,
      long moreInteger,
      long leastInteger,
      long mostInteger,
      double more,
      double least,
      double most) {
    boolean first = count == 0;
    count += points;
    sum += more;
    // Not by Math.min and max: of 0 and -0 the first counts, as over points.
    min = first || least < min ? least : min;
    max = first || most > max ? most : max;
    long total = integerSum + moreInteger;
    boolean overflows = ((integerSum ^ total) & (moreInteger ^ total)) < 0;
    integers &= !isFloat && !overflows;
    integerSum = total;
    integerMin = first ? leastInteger : Math.min(integerMin, leastInteger);
    integerMax = first ? mostInteger : Math.max(integerMax, mostInteger);
  }

  /** Takes the stored values of an interval. Another program may have both kinds of numbers. */
  void set(Stored ofCount, Stored ofSum, Stored ofMin, Stored ofMax) {
    count = ofCount.isFloat() ? (long) ofCount.value() : ofCount.raw();
    integers = !ofSum.isFloat() && !ofMin.isFloat() && !ofMax.isFloat();
    integerSum = ofSum.raw();
    integerMin = ofMin.raw();
    integerMax = ofMax.raw();
    sum = ofSum.value();
    min = ofMin.value();
    max = ofMax.value();
  }

  Stored count() {
    return Stored.of(count);
  }

  Stored sum() {
    return integers ? Stored.of(integerSum) : Stored.of(sum);
  }

  Stored min() {
    return integers ? Stored.of(integerMin) : Stored.of(min);
  }

  Stored max() {
    return integers ? Stored.of(integerMax) : Stored.of(max);
  }

  /**
   * A value as it is stored: in the fewest bytes that are exact.
   *
   * @param flags of its qualifier
   * @param raw see {@link Value}
   */
  record Stored(int flags, long raw) {
    static Stored of(long integer) {
      return new Stored(Value.flagsOf(integer), integer);
    }

    static Stored of(double value) {
      float narrow = (float) value;
      return narrow == value
          ? new Stored(Value.FLOAT_FLAGS, Value.rawOf(narrow))
          : new Stored(Value.DOUBLE_FLAGS, Value.rawOf(value));
    }

    boolean isFloat() {
      return flags >= Value.FLOAT_FLAGS;
    }

    double value() {
      return Value.toDouble(flags, raw);
    }

    byte[] bytes() {
      return Value.encode(flags, raw);
    }
  }
}
