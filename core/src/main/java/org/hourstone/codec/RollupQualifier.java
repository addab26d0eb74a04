package org.hourstone.codec;

import java.util.Arrays;

/**
 * The qualifier of a rolled-up value: the aggregation of the points, the interval of its row, and
 * the flags that define its encoding. See {@code docs/format/rollup.md#qualifier}.
 *
 * <pre>
 *   3 bytes:            aggregation's id | index of the interval (12 bits) | flags (4)
 *   n + 3 bytes: name of the aggregation | ':' | index (12 bits) | flags (4)
 * </pre>
 *
 * <p>The second form was written before version 2.4 was released; it is read but not written.
 */
public final class RollupQualifier {
  /** The largest id of an aggregation. */
  public static final int MAX_ID = 0x7F;

  /** The largest index of an interval in its row. */
  public static final int MAX_INDEX = 0xFFF;

  private static final int LENGTH = 3;
  private static final int INDEX_LENGTH = 2;
  private static final int INDEX_SHIFT = 4;
  private static final int FLAGS_MASK = 0xF;

  private RollupQualifier() {}

  /**
   * The form that is written.
   *
   * @throws IllegalArgumentException if id or index don't fit
   */
  public static byte[] encode(int aggregationId, int index, int flags) {
    if (aggregationId < 0 || aggregationId > MAX_ID) {
      throw new IllegalArgumentException("Aggregation id " + aggregationId + " is not in 0..127");
    }
    if (index < 0 || index > MAX_INDEX) {
      throw new IllegalArgumentException("Index " + index + " of an interval is not in 0..4095");
    }
    byte[] qualifier = new byte[LENGTH];
    qualifier[0] = (byte) aggregationId;
    BigEndian.putShort(qualifier, 1, index << INDEX_SHIFT | (flags & FLAGS_MASK));
    return qualifier;
  }

  /**
   * Whether a qualifier is that of an aggregation, in either form.
   *
   * @param name of the aggregation in lower-case ASCII, with the colon
   */
  public static boolean isOf(byte[] qualifier, int aggregationId, byte[] name) {
    if (qualifier.length == LENGTH) {
      return qualifier[0] == aggregationId;
    }
    return qualifier.length == name.length + INDEX_LENGTH
        && Arrays.equals(qualifier, 0, name.length, name, 0, name.length);
  }

  /** Whether a qualifier has the aggregation's id, not its name. */
  public static boolean hasId(byte[] qualifier) {
    return qualifier.length == LENGTH;
  }

  /** The index of the interval. */
  public static int index(byte[] qualifier) {
    return BigEndian.shortAt(qualifier, qualifier.length - INDEX_LENGTH) >>> INDEX_SHIFT;
  }

  /** The flags of the value, as in a point's {@link Qualifier}. */
  public static int flags(byte[] qualifier) {
    return qualifier[qualifier.length - 1] & FLAGS_MASK;
  }
}
