package org.hourstone.codec;

/**
 * The qualifier of an annotation: a prefix and the offset from the base time, without flags. See
 * {@code docs/format/annotation.md}.
 *
 * <pre>
 *   3 bytes: 01 | offset in s (16 bits)
 *   5 bytes: 01 | offset in ms (32 bits)
 * </pre>
 */
public final class AnnotationQualifier {
  private static final byte PREFIX = 0x01;

  private AnnotationQualifier() {}

  /**
   * The qualifier of an annotation that starts at this time.
   *
   * <p>A time that 1000 divides is divided by it first, to store whole milliseconds as seconds.
   * That is done to a time in seconds as well: one that 1000 divides gets an offset that is not its
   * own. OpenTSDB finds its annotations by this, so it is kept; who reads a cell takes the time
   * from its value.
   *
   * @param startTime seconds or milliseconds by its size, at least 1
   */
  public static byte[] encode(long startTime) {
    long time = startTime % 1000 == 0 ? startTime / 1000 : startTime;
    if (Timestamps.isMillis(time)) {
      byte[] qualifier = new byte[5];
      qualifier[0] = PREFIX;
      Bytes.putInt(qualifier, 1, (int) (time - Timestamps.baseTime(time) * 1000));
      return qualifier;
    }
    byte[] qualifier = new byte[3];
    qualifier[0] = PREFIX;
    Bytes.putShort(qualifier, 1, (int) (time - Timestamps.baseTime(time)));
    return qualifier;
  }

  /**
   * The offset an annotation's qualifier gives, in milliseconds; not that of its start where 1000
   * divides that.
   *
   * @param qualifier one that {@link CellKind#of} says is an annotation's
   */
  public static long offsetMillis(byte[] qualifier) {
    return qualifier.length == 3
        ? Bytes.shortAt(qualifier, 1) * 1000L
        : Bytes.intAt(qualifier, 1) & 0xFFFF_FFFFL;
  }
}
