package org.hourstone.write;

import org.hourstone.codec.Value;

/**
 * A value ready to be coded: its flags and raw bits, as {@link Value} has them. Which of them a
 * decimal gets depends on the way it came: see {@code docs/format/value.md#width}.
 */
record PointValue(int flags, long raw) {
  static PointValue of(long value) {
    return new PointValue(Value.flagsOf(value), value);
  }

  static PointValue of(float value) {
    return new PointValue(Value.FLOAT_FLAGS, Value.rawOf(value));
  }

  static PointValue of(double value) {
    return new PointValue(Value.DOUBLE_FLAGS, Value.rawOf(value));
  }

  /**
   * A decimal on 4 bytes if that loses nothing, else on 8: the way of telnet, and ours for imports.
   */
  static PointValue exact(double value) {
    float narrow = (float) value;
    return narrow == value ? of(narrow) : of(value);
  }

  boolean isFinite() {
    return switch (flags) {
      case Value.FLOAT_FLAGS -> Float.isFinite(Float.intBitsToFloat((int) raw));
      case Value.DOUBLE_FLAGS -> Double.isFinite(Double.longBitsToDouble(raw));
      default -> true;
    };
  }

  /** The number, as it is shown in messages. */
  String text() {
    return switch (flags) {
      case Value.FLOAT_FLAGS -> Float.toString(Float.intBitsToFloat((int) raw));
      case Value.DOUBLE_FLAGS -> Double.toString(Double.longBitsToDouble(raw));
      default -> Long.toString(raw);
    };
  }
}
