package org.hourstone.codec;

/**
 * A point's value: an integer in 1, 2, 4 or 8 bytes, always the shortest form, or a float in 4 or 8
 * bytes. In memory a value is a {@code long} of <em>raw</em> bits together with the flags of its
 * qualifier: the integer itself, or the bits of the float or double. See {@code
 * docs/format/value.md}.
 */
public final class Value {
  /** Flags of a 4-byte float. */
  public static final int FLOAT_FLAGS = Qualifier.FLOAT | 3;

  /** Flags of an 8-byte double. */
  public static final int DOUBLE_FLAGS = Qualifier.FLOAT | 7;

  private Value() {}

  /** The flags of an integer in its shortest form. */
  public static int flagsOf(long value) {
    if (value == (byte) value) {
      return 0;
    }
    if (value == (short) value) {
      return 1;
    }
    return value == (int) value ? 3 : 7;
  }

  /** The raw bits of a float, for {@link #FLOAT_FLAGS}. */
  public static long rawOf(float value) {
    return Float.floatToRawIntBits(value) & 0xFFFF_FFFFL;
  }

  /** The raw bits of a double, for {@link #DOUBLE_FLAGS}. */
  public static long rawOf(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** The bytes of a value. */
  public static byte[] encode(int flags, long raw) {
    return BigEndian.low(raw, Qualifier.valueLength(flags));
  }

  /** Writes the bytes of a value; returns the index after them. */
  public static int put(int flags, long raw, byte[] target, int at) {
    int length = Qualifier.valueLength(flags);
    BigEndian.putLow(raw, length, target, at);
    return at + length;
  }

  /**
   * The raw bits of a value.
   *
   * @param flags of its qualifier; they determine how many bytes are read
   * @throws CorruptDataException if the length in the flags is impossible for the value's type
   */
  public static long decode(int flags, byte[] value, int at) {
    checkLength(flags);
    return rawAt(flags, value, at);
  }

  /** As {@link #decode}, for any length in the flags. */
  static long rawAt(int flags, byte[] value, int at) {
    return switch (flags) {
      case 0 -> value[at];
      case 1 -> (short) BigEndian.shortAt(value, at);
      case 3 -> BigEndian.intAt(value, at);
      case FLOAT_FLAGS -> BigEndian.intAt(value, at) & 0xFFFF_FFFFL;
      case 7, DOUBLE_FLAGS -> BigEndian.longAt(value, at);
      default -> rawOfAnyLength(flags, value, at);
    };
  }

  private static long rawOfAnyLength(int flags, byte[] value, int at) {
    int length = Qualifier.valueLength(flags);
    long raw = Qualifier.isFloat(flags) ? 0 : value[at] >> (Byte.SIZE - 1);
    for (int i = at; i < at + length; i++) {
      raw = (raw << Byte.SIZE) | (value[i] & 0xFF);
    }
    return raw;
  }

  /** Values are integers in 1, 2, 4 or 8 bytes, or floats in 4 or 8. */
  public static boolean isLegalLength(int flags) {
    int length = Qualifier.valueLength(flags);
    return Qualifier.isFloat(flags)
        ? length == Float.BYTES || length == Double.BYTES
        : Integer.bitCount(length) == 1;
  }

  /** Fails where {@link #isLegalLength} is false. */
  static void checkLength(int flags) {
    if (isLegalLength(flags)) {
      return;
    }
    int length = Qualifier.valueLength(flags);
    throw new CorruptDataException(
        Qualifier.isFloat(flags)
            ? "Floating point value of " + length + " bytes: not on 8 or 4 bytes"
            : "Integer value of " + length + " bytes: not on 8/4/2/1 bytes");
  }

  /** The number a value represents; a 4-byte float is widened, an integer rounded if necessary. */
  public static double toDouble(int flags, long raw) {
    if (!Qualifier.isFloat(flags)) {
      return raw;
    }
    return Qualifier.valueLength(flags) == 4
        ? Float.intBitsToFloat((int) raw)
        : Double.longBitsToDouble(raw);
  }
}
