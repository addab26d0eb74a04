package org.hourstone.kv;

import java.util.Arrays;

/**
 * One order-preserving key of row and qualifier, for stores with one flat key space per family. A
 * plain concatenation of row and qualifier is not such a key: rows may be prefixes of one another,
 * and in OpenTSDB's data they are.
 *
 * <pre>
 *   key = encode(row) ‖ qualifier
 *
 *   encode(row): the row in groups of 8 bytes, each followed by a marker byte
 *   +----------- 8 bytes -----------+-- 1 --+
 *   |  row bytes, padded with zeros | marker|   marker 1..8: number of row bytes, last group
 *   +-------------------------------+-------+   marker 9: 8 bytes of the row, and more groups follow
 * </pre>
 *
 * <p>Everything else follows from two properties:
 *
 * <ul>
 *   <li><strong>Order.</strong> Comparing keys as unsigned bytes compares rows, then qualifiers. If
 *       two rows agree in a group, padding included, the one with fewer bytes in it has the smaller
 *       marker; it is also the smaller row, since the other row has zeros in place of its padding.
 *   <li><strong>Prefix-freedom.</strong> No encoded row is a prefix of another one, so the cells of
 *       a row are one contiguous range of keys, though rows of OpenTSDB are prefixes of each other
 *       (one tag pair against two). The range ends at the same key with the last marker incremented
 *       by one.
 * </ul>
 */
public final class FlatKeys {
  private static final int GROUP = 8;
  private static final byte MORE = GROUP + 1;

  private FlatKeys() {}

  /** The length of {@code encode(row)} for a row of this length. */
  public static int encodedLength(int rowLength) {
    return (rowLength + GROUP - 1) / GROUP * (GROUP + 1);
  }

  /**
   * Writes {@code encode(row)}, for a row that is not empty.
   *
   * @return the index after it
   */
  public static int encode(byte[] row, byte[] target, int at) {
    int from = 0;
    while (row.length - from > GROUP) {
      System.arraycopy(row, from, target, at, GROUP);
      target[at + GROUP] = MORE;
      from += GROUP;
      at += GROUP + 1;
    }
    int rest = row.length - from;
    System.arraycopy(row, from, target, at, rest);
    Arrays.fill(target, at + rest, at + GROUP, (byte) 0);
    target[at + GROUP] = (byte) rest;
    return at + GROUP + 1;
  }

  /** The key of a cell. */
  public static byte[] cell(byte[] row, byte[] qualifier) {
    int rowEnd = encodedLength(row.length);
    byte[] key = new byte[rowEnd + qualifier.length];
    encode(row, key, 0);
    System.arraycopy(qualifier, 0, key, rowEnd, qualifier.length);
    return key;
  }

  /**
   * Not greater than the keys of {@code row} and of all rows after it, greater than those before
   * it: a bound for ranges of rows, as inclusive start or exclusive end. The row may be empty; it
   * is before all rows.
   */
  public static byte[] bound(byte[] row) {
    return row.length == 0 ? new byte[1] : cell(row, new byte[0]);
  }

  /** Greater than the keys of {@code row}, not greater than those of the rows after it. */
  public static byte[] afterRow(byte[] row) {
    byte[] bound = bound(row);
    bound[bound.length - 1]++;
    return bound;
  }

  /** Greater than the key of any cell. */
  public static byte[] beyondAll() {
    byte[] bound = new byte[GROUP + 1];
    Arrays.fill(bound, (byte) 0xFF);
    return bound;
  }

  /**
   * The index where the encoded row ends and the qualifier begins.
   *
   * @return an index in the key, or -1 if this is not the key of a cell
   */
  public static int rowEnd(byte[] key, int length) {
    for (int end = GROUP + 1; end <= length; end += GROUP + 1) {
      byte marker = key[end - 1];
      if (marker != MORE) {
        return marker >= 1 && marker <= GROUP ? end : -1;
      }
    }
    return -1;
  }

  /** The row of a key whose encoded row ends at {@code rowEnd}. */
  public static byte[] row(byte[] key, int rowEnd) {
    int groups = rowEnd / (GROUP + 1);
    byte[] row = new byte[(groups - 1) * GROUP + key[rowEnd - 1]];
    for (int group = 0; group < groups; group++) {
      int from = group * GROUP;
      System.arraycopy(key, group * (GROUP + 1), row, from, Math.min(GROUP, row.length - from));
    }
    return row;
  }
}
