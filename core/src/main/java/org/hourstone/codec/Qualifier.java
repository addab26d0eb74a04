package org.hourstone.codec;

/**
 * The qualifier of one point: its offset from the row's base time, and the flags that define the
 * encoding of its value. See {@code docs/format/qualifier.md}.
 *
 * <pre>
 *   2 bytes:       offset in s (12 bits) | float (1) | value length - 1 (3)
 *   4 bytes: 1111 | offset in ms (22 bits) | 00 | float (1) | value length - 1 (3)
 * </pre>
 */
public final class Qualifier {
  /** Flag: the value is a float, not an integer. */
  public static final int FLOAT = 0x8;

  /** The flags that contain the value's length minus one. */
  public static final int LENGTH_MASK = 0x7;

  /** Qualifiers of two bytes are below, the first two bytes of those of four are not. */
  static final int LEAST_MILLIS = 0xF000;

  private static final int FLAGS_MASK = 0xF;
  private static final int SECONDS_SHIFT = 4;
  private static final int MILLIS_SHIFT = 6;
  private static final int MILLIS_PREFIX = 0xF0000000;
  private static final int MILLIS_OFFSET_MASK = 0x0FFFFFC0;

  private Qualifier() {}

  /**
   * The qualifier of a point: two bytes if its timestamp is in seconds, four if in milliseconds.
   *
   * @param timestamp as given by the writer, not negative
   * @param flags of the value
   */
  public static byte[] encode(long timestamp, int flags) {
    if (Timestamps.isMillis(timestamp)) {
      return encodeMillis((int) (timestamp - Timestamps.baseTime(timestamp) * 1000), flags);
    }
    return encodeSeconds((int) (timestamp - Timestamps.baseTime(timestamp)), flags);
  }

  /** The two-byte form; the offset is in seconds, 0 to 3599. */
  public static byte[] encodeSeconds(int offset, int flags) {
    if (offset < 0 || offset >= Timestamps.ROW_SECONDS) {
      throw new IllegalArgumentException("offset of " + offset + " s is outside the row's hour");
    }
    byte[] qualifier = new byte[2];
    putSeconds(offset, flags, qualifier, 0);
    return qualifier;
  }

  /** The four-byte form; the offset is in milliseconds, 0 to 3599999. */
  public static byte[] encodeMillis(int offset, int flags) {
    if (offset < 0 || offset >= Timestamps.ROW_MILLIS) {
      throw new IllegalArgumentException("offset of " + offset + " ms is outside the row's hour");
    }
    byte[] qualifier = new byte[4];
    putMillis(offset, flags, qualifier, 0);
    return qualifier;
  }

  /** Writes the two-byte form of an offset that fits it; returns the index after it. */
  public static int putSeconds(int offset, int flags, byte[] target, int at) {
    BigEndian.putShort(target, at, (offset << SECONDS_SHIFT) | (flags & FLAGS_MASK));
    return at + 2;
  }

  /** Writes the four-byte form of an offset that fits it; returns the index after it. */
  public static int putMillis(int offset, int flags, byte[] target, int at) {
    BigEndian.putInt(target, at, MILLIS_PREFIX | (offset << MILLIS_SHIFT) | (flags & FLAGS_MASK));
    return at + 4;
  }

  /** Whether the qualifier that starts with this byte has the four-byte form. */
  public static boolean isMillis(byte first) {
    return (first & 0xF0) == 0xF0;
  }

  /** The length of the qualifier that starts with this byte: 2 or 4 bytes. */
  public static int width(byte first) {
    return isMillis(first) ? 4 : 2;
  }

  /** The offset from the base time, in milliseconds, of the qualifier that starts at {@code at}. */
  public static int offsetMillis(byte[] qualifier, int at) {
    if (isMillis(qualifier[at])) {
      return (BigEndian.intAt(qualifier, at) & MILLIS_OFFSET_MASK) >>> MILLIS_SHIFT;
    }
    return (BigEndian.shortAt(qualifier, at) >>> SECONDS_SHIFT) * 1000;
  }

  /** The flags of the qualifier that starts at {@code at}. */
  public static int flags(byte[] qualifier, int at) {
    return qualifier[at + width(qualifier[at]) - 1] & FLAGS_MASK;
  }

  /** The length of the value in bytes according to its flags, 1 to 8. */
  public static int valueLength(int flags) {
    return (flags & LENGTH_MASK) + 1;
  }

  /** Whether the flags are those of a float. */
  public static boolean isFloat(int flags) {
    return (flags & FLOAT) != 0;
  }
}
