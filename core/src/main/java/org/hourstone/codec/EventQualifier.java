package org.hourstone.codec;

/**
 * The qualifier of an annotation or a histogram: both have a timestamp, but are not plain points.
 * Unlike that of a point, its length is odd, it has no flags, and its offset is not shifted. See
 * {@code docs/format/histogram.md#qualifier}.
 *
 * <pre>
 *   3 bytes: prefix | offset in s (16 bits)
 *   5 bytes: prefix | offset in ms (32 bits)
 * </pre>
 */
public final class EventQualifier {
  /** The first byte of an annotation's qualifier. */
  public static final byte ANNOTATION = 0x01;

  /** The first byte of a histogram's qualifier. */
  public static final byte HISTOGRAM = 0x06;

  private static final int SECONDS_LENGTH = 3;
  private static final int MILLIS_LENGTH = 5;

  private EventQualifier() {}

  /**
   * The qualifier of an event: three bytes if its timestamp is in seconds, five if in milliseconds.
   *
   * @param timestamp not negative
   */
  public static byte[] encode(byte prefix, long timestamp) {
    boolean millis = Timestamps.isMillis(timestamp);
    byte[] qualifier = new byte[millis ? MILLIS_LENGTH : SECONDS_LENGTH];
    qualifier[0] = prefix;
    long baseTime = Timestamps.baseTime(timestamp);
    if (millis) {
      BigEndian.putInt(qualifier, 1, (int) (timestamp - baseTime * 1000));
    } else {
      BigEndian.putShort(qualifier, 1, (int) (timestamp - baseTime));
    }
    return qualifier;
  }

  /** Whether the event's timestamp is in milliseconds. */
  public static boolean isMillis(byte[] qualifier) {
    return qualifier.length == MILLIS_LENGTH;
  }

  /**
   * The offset from the row's base time in milliseconds: unsigned, and in corrupt cells possibly
   * beyond the row's hour.
   *
   * @param qualifier of 3 or 5 bytes, as {@link CellKind} determines
   */
  public static long offsetMillis(byte[] qualifier) {
    return isMillis(qualifier)
        ? BigEndian.intAt(qualifier, 1) & 0xFFFF_FFFFL
        : BigEndian.shortAt(qualifier, 1) * 1000L;
  }
}
