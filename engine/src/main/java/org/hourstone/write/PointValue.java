package org.hourstone.write;

import org.hourstone.codec.Value;

/**
 * A value ready to be encoded: its flags and raw bits, as in {@link Value}. The width of a decimal
 * depends on its source: see {@code docs/format/value.md#width}.
 */
public record PointValue(int flags, long raw) {
  /** An integer, in the fewest bytes that hold it. */
  public static PointValue of(long value) {
    return new PointValue(Value.flagsOf(value), value);
  }

  /** A decimal in 4 bytes. */
  public static PointValue of(float value) {
    return new PointValue(Value.FLOAT_FLAGS, Value.rawOf(value));
  }

  /** A decimal in 8 bytes. */
  public static PointValue of(double value) {
    return new PointValue(Value.DOUBLE_FLAGS, Value.rawOf(value));
  }

  /**
   * Parses a value, a decimal in 4 bytes if that is exact, else in 8: used for telnet, and for
   * imports outside strict mode.
   *
   * @param vanishes whether a decimal closer to 0 than the smallest double becomes 0, as in
   *     OpenTSDB; else it is refused
   * @throws InvalidNumberException if it is not a number
   */
  public static PointValue exact(String text, boolean vanishes) {
    return new ByteNumber(ByteNumber.Width.EXACT).parse(text, vanishes);
  }

  /**
   * Parses a value, a decimal always in 8 bytes: used for HTTP.
   *
   * @param vanishes as above
   * @throws InvalidNumberException if it is not a number
   */
  public static PointValue wide(String text, boolean vanishes) {
    return new ByteNumber(ByteNumber.Width.WIDE).parse(text, vanishes);
  }

  boolean isFinite() {
    return isFinite(flags, raw);
  }

  /** Whether a value with these flags and raw bits is a finite number. */
  static boolean isFinite(int flags, long raw) {
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
