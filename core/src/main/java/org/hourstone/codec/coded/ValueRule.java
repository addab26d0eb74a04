package org.hourstone.codec.coded;

import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/** How the flags of a cell's points follow from their numbers. A cell contains the rule's index. */
enum ValueRule {
  /** All are integers in the fewest bytes. */
  INTEGERS(0),
  /** All are doubles of 8 bytes. */
  DOUBLES(1),
  /** All are floats of 4 bytes. */
  FLOATS(2),
  /** Floats where these are exact, else doubles. */
  NARROW_FLOATS(3),
  /** Integers in the fewest bytes where the number is whole, else as {@link #NARROW_FLOATS}. */
  NUMBERS(4),
  /** None: the flags are stored. */
  STORED(5);

  private static final ValueRule[] ALL = values(); // in the order of their indexes

  /** Doubles of a smaller magnitude that are whole are exactly that integer. */
  private static final double WHOLE = 1L << 53;

  private final int index;

  ValueRule(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /** The rule of an index, which is not negative. */
  static ValueRule of(int index) {
    if (index >= ALL.length) {
      throw new IllegalArgumentException("a rule of unknown index " + index);
    }
    return ALL[index];
  }

  /** The first rule that all points follow. */
  static ValueRule of(RowPoints points) {
    int rules = -1;
    boolean millis = points.isMillis(0);
    for (int i = 0; i < points.size(); i++) {
      rules &= points.isMillis(i) == millis ? rulesOf(points, i) : 0;
    }
    for (ValueRule rule : ALL) {
      if ((rules & rule.bit()) != 0) {
        return rule;
      }
    }
    return STORED;
  }

  private static int rulesOf(RowPoints points, int i) {
    int flags = points.flags(i);
    if (!Qualifier.isFloat(flags)) {
      return flags == Value.flagsOf(points.raw(i)) ? INTEGERS.bit() | NUMBERS.bit() : 0;
    }
    double number = points.toDouble(i);
    boolean isFloat = flags == Value.FLOAT_FLAGS;
    int rules = isFloat ? FLOATS.bit() : DOUBLES.bit();
    if (isFloat == isFloat(number)) {
      rules |= NARROW_FLOATS.bit() | (isWhole(number) ? 0 : NUMBERS.bit());
    }
    return rules;
  }

  /** Whether the number of bytes of each value follows without the values. */
  boolean givesLengths() {
    return this == DOUBLES || this == FLOATS || this == STORED;
  }

  /** Whether a number is exactly a float; NaN is not. */
  static boolean isFloat(double number) {
    return (float) number == number;
  }

  /** Whether a number is stored as an integer by {@link #NUMBERS}. */
  static boolean isWhole(double number) {
    return Math.abs(number) < WHOLE
        && (long) number == number
        && Double.doubleToRawLongBits(number) != Long.MIN_VALUE;
  }

  private int bit() {
    return 1 << index;
  }
}
