package org.hourstone.codec.rest;

import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/** Adds decoded points to a row's, with the flags that follow from their rule. */
final class RestingPoints {
  private final RowPoints points;
  private final long[] times;
  private final boolean millis;
  private final ValueRule rule;
  private final byte @Nullable [] stored;

  /**
   * Points without values yet.
   *
   * @param points receives them
   * @param times the offsets, in milliseconds or in seconds
   * @param millis whether in milliseconds; that of the points, unless flags are stored
   * @param rule of their flags
   * @param stored their flags, see {@link StoredFlags}, if that is the rule, else null
   */
  RestingPoints(
      RowPoints points, long[] times, boolean millis, ValueRule rule, byte @Nullable [] stored) {
    this.points = points;
    this.times = times;
    this.millis = millis;
    this.rule = rule;
    this.stored = stored;
    points.reserve(times.length);
    if (stored != null) {
      checkUnits(stored);
    }
  }

  private void checkUnits(byte[] flags) {
    for (int i = 0; i < flags.length; i++) {
      boolean isMillis = (flags[i] & StoredFlags.MILLIS) != 0;
      if (isMillis ? !millis : millis && times[i] % 1000 != 0) {
        throw new IllegalArgumentException(
            "point " + i + ", at " + times[i] + ", has another unit than its flags");
      }
    }
  }

  void addIntegers(long[] integers) {
    if (rule != ValueRule.INTEGERS && (stored == null || !StoredFlags.areIntegers(stored))) {
      throw new IllegalArgumentException("integers with the rule " + rule);
    }
    for (int i = 0; i < integers.length; i++) {
      add(i, stored == null ? Value.flagsOf(integers[i]) : stored[i], integers[i]);
    }
  }

  void addNumbers(ScaledValues values) {
    for (int i = 0; i < times.length; i++) {
      addNumber(i, values.number(i));
    }
  }

  private void addNumber(int i, double number) {
    switch (rule) {
      case DOUBLES -> addDouble(i, Value.DOUBLE_FLAGS, number);
      case FLOATS -> addFloat(i, Value.FLOAT_FLAGS, number);
      case NARROW_FLOATS -> addNarrow(i, number);
      case NUMBERS -> {
        if (ValueRule.isWhole(number)) {
          add(i, Value.flagsOf((long) number), (long) number);
        } else {
          addNarrow(i, number);
        }
      }
      case STORED -> addWithFlags(i, flags(i), number);
      case INTEGERS -> throw new IllegalArgumentException("decimal numbers with the rule " + rule);
    }
  }

  private void addNarrow(int i, double number) {
    if (ValueRule.isFloat(number)) {
      addFloat(i, Value.FLOAT_FLAGS, number);
    } else {
      addDouble(i, Value.DOUBLE_FLAGS, number);
    }
  }

  private void addFloat(int i, int flags, double number) {
    add(i, flags, Value.rawOf((float) number));
  }

  private void addDouble(int i, int flags, double number) {
    add(i, flags, Value.rawOf(number));
  }

  private void addWithFlags(int i, int flags, double number) {
    if (!Qualifier.isFloat(flags)) {
      add(i, flags, (long) number);
    } else if (Qualifier.valueLength(flags) == Float.BYTES) {
      addFloat(i, flags, number);
    } else {
      addDouble(i, flags, number);
    }
  }

  /** Adds the points with values that are stored as such. */
  void addBytes(Input in) {
    if (!rule.givesLengths()) {
      throw new IllegalArgumentException("bytes of values with the rule " + rule);
    }
    for (int i = 0; i < times.length; i++) {
      int flags = flags(i);
      int length = Qualifier.valueLength(flags & ~StoredFlags.MILLIS);
      in.require(length);
      add(i, flags, Value.decode(flags & ~StoredFlags.MILLIS, in.bytes, in.at));
      in.at += length;
    }
  }

  private int flags(int i) {
    if (stored != null) {
      return stored[i];
    }
    return rule == ValueRule.FLOATS ? Value.FLOAT_FLAGS : Value.DOUBLE_FLAGS;
  }

  private void add(int i, int flags, long raw) {
    boolean isMillis = stored == null ? millis : (flags & StoredFlags.MILLIS) != 0;
    int time = (int) times[i];
    points.add(millis ? time : time * 1000, isMillis, flags & ~StoredFlags.MILLIS, raw);
  }
}
