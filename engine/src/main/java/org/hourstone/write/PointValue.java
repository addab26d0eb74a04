package org.hourstone.write;

import org.hourstone.codec.Value;

/**
 * A value ready to be coded: its flags and raw bits, as {@link Value} has them. Which of them a
 * decimal gets depends on the way it came: see {@code docs/format/value.md#width}.
 */
public record PointValue(int flags, long raw) {
  /** An integer, on the fewest bytes that hold it. */
  public static PointValue of(long value) {
    return new PointValue(Value.flagsOf(value), value);
  }

  /** A decimal on 4 bytes. */
  public static PointValue of(float value) {
    return new PointValue(Value.FLOAT_FLAGS, Value.rawOf(value));
  }

  /** A decimal on 8 bytes. */
  public static PointValue of(double value) {
    return new PointValue(Value.DOUBLE_FLAGS, Value.rawOf(value));
  }

  /**
   * The value of a text, a decimal on 4 bytes if that loses nothing, else on 8: the way of telnet,
   * and ours for imports.
   *
   * @throws NumberFormatException if it is no number
   */
  public static PointValue exact(String text) {
    if (NumberText.isInteger(text)) {
      return of(NumberText.parseLong(text));
    }
    double value = Double.parseDouble(text);
    float narrow = (float) value;
    return narrow == value ? of(narrow) : of(value);
  }

  /**
   * The value of a text, a decimal always on 8 bytes: the way of HTTP.
   *
   * @throws NumberFormatException if it is no number
   */
  public static PointValue wide(String text) {
    return NumberText.isInteger(text)
        ? of(NumberText.parseLong(text))
        : of(Double.parseDouble(text));
  }

  /** The value of a text, a decimal always on 4 bytes: the way of OpenTSDB's import. */
  static PointValue narrow(String text) {
    return NumberText.isInteger(text) ? of(NumberText.parseLong(text)) : of(Float.parseFloat(text));
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
