package org.hourstone.codec.coded;

import java.util.Arrays;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/**
 * Decoded points in columns: their offsets, their flags as their rule says, and their values. The
 * columns are those of the points to which they are added.
 */
final class DecodedPoints {
  private final RowPoints points;
  private final int[] offsets;
  private final ValueRule rule;

  /** With the unit of each point, see {@link StoredFlags}; set with the values unless stored. */
  private final byte[] flags;

  /** The unit of all points, unless flags are stored. */
  private final int unit;

  /** The raw values, see {@link Value}. */
  private long[] raws = {};

  /**
   * Points without values yet.
   *
   * @param points to which they will be added
   * @param offsets in milliseconds
   * @param millis whether some points are in milliseconds
   * @param in from which flags are read that are stored
   */
  DecodedPoints(RowPoints points, int[] offsets, boolean millis, ValueRule rule, Input in) {
    this.points = points;
    this.offsets = offsets;
    this.rule = rule;
    unit = millis ? StoredFlags.MILLIS : 0;
    flags = points.spareFlags(offsets.length);
    if (rule == ValueRule.STORED) {
      StoredFlags.read(in, flags);
      checkUnits(millis);
    }
  }

  private void checkUnits(boolean millis) {
    for (int i = 0; i < flags.length; i++) {
      boolean isMillis = (flags[i] & StoredFlags.MILLIS) != 0;
      if (isMillis ? !millis : offsets[i] % 1000 != 0) {
        throw new IllegalArgumentException(
            "point " + i + ", at " + offsets[i] + " ms, has another unit than its flags");
      }
    }
  }

  /** The values are these integers; the array is used on. */
  void setIntegers(long[] integers) {
    if (rule == ValueRule.INTEGERS) {
      for (int i = 0; i < integers.length; i++) {
        flags[i] = (byte) (unit | Value.flagsOf(integers[i]));
      }
    } else if (rule != ValueRule.STORED || !StoredFlags.areIntegers(flags)) {
      throw new IllegalArgumentException("integers with the rule " + rule);
    } else {
      for (int i = 0; i < integers.length; i++) {
        checkFits(flags[i], integers[i]);
      }
    }
    raws = integers;
  }

  /** The values are these numbers; their array is used on. */
  void setNumbers(ScaledValues values) {
    raws = values.integers();
    switch (rule) {
      case DOUBLES -> {
        Arrays.fill(flags, (byte) (unit | Value.DOUBLE_FLAGS));
        for (int i = 0; i < raws.length; i++) {
          raws[i] = Value.rawOf(values.number(i));
        }
      }
      case FLOATS -> {
        Arrays.fill(flags, (byte) (unit | Value.FLOAT_FLAGS));
        for (int i = 0; i < raws.length; i++) {
          raws[i] = Value.rawOf((float) values.number(i));
        }
      }
      case NARROW_FLOATS -> {
        for (int i = 0; i < raws.length; i++) {
          setNarrow(i, values.number(i));
        }
      }
      case NUMBERS -> {
        for (int i = 0; i < raws.length; i++) {
          setShortest(i, values.number(i));
        }
      }
      case STORED -> {
        for (int i = 0; i < raws.length; i++) {
          raws[i] = raw(flags[i], values.number(i));
        }
      }
      case INTEGERS -> throw new IllegalArgumentException("decimal numbers with the rule " + rule);
    }
  }

  private void setNarrow(int i, double number) {
    boolean isFloat = ValueRule.isFloat(number);
    flags[i] = (byte) (unit | (isFloat ? Value.FLOAT_FLAGS : Value.DOUBLE_FLAGS));
    raws[i] = isFloat ? Value.rawOf((float) number) : Value.rawOf(number);
  }

  private void setShortest(int i, double number) {
    if (ValueRule.isWhole(number)) {
      raws[i] = (long) number;
      flags[i] = (byte) (unit | Value.flagsOf(raws[i]));
    } else {
      setNarrow(i, number);
    }
  }

  private static long raw(int flags, double number) {
    if (!Qualifier.isFloat(flags)) {
      if ((long) number != number) {
        throw new IllegalArgumentException("an integer of " + number);
      }
      checkFits(flags, (long) number);
      return (long) number;
    }
    return Qualifier.valueLength(flags) == Float.BYTES
        ? Value.rawOf((float) number)
        : Value.rawOf(number);
  }

  private static void checkFits(int flags, long integer) {
    int length = Qualifier.valueLength(flags);
    if (Qualifier.valueLength(Value.flagsOf(integer)) > length) {
      throw new IllegalArgumentException(integer + " does not fit into " + length + " bytes");
    }
  }

  /** The values are stored as such. */
  void setBytes(Input in) {
    if (!rule.givesLengths()) {
      throw new IllegalArgumentException("bytes of values with the rule " + rule);
    }
    if (rule != ValueRule.STORED) {
      int all = rule == ValueRule.FLOATS ? Value.FLOAT_FLAGS : Value.DOUBLE_FLAGS;
      Arrays.fill(flags, (byte) (unit | all));
    }
    raws = points.spareRaws(offsets.length);
    for (int i = 0; i < raws.length; i++) {
      int length = Qualifier.valueLength(flags[i]);
      in.require(length);
      raws[i] = Value.decode(flags[i] & ~StoredFlags.MILLIS, in.bytes, in.at);
      in.at += length;
    }
  }

  /**
   * @param start the first two bytes of the qualifier of the first point
   */
  void checkStart(byte[] start) {
    boolean isMillis = (flags[0] & StoredFlags.MILLIS) != 0;
    int first = flags[0] & ~StoredFlags.MILLIS;
    byte[] qualifier = new byte[4];
    int unused =
        isMillis
            ? Qualifier.putMillis(offsets[0], first, qualifier, 0)
            : Qualifier.putSeconds(offsets[0] / 1000, first, qualifier, 0);
    if (qualifier[0] != start[0] || qualifier[1] != start[1]) {
      throw new IllegalArgumentException("a cell that begins otherwise");
    }
  }

  void add() {
    points.addAll(offsets, flags, raws);
  }
}
