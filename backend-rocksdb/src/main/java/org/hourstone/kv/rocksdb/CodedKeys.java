package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import org.hourstone.kv.Columns;

/**
 * The ends of keys in a coded family. For a cell with a qualifier of the bytes q0 q1 q2 …, the
 * encoded row in the key is followed by one of these:
 *
 * <pre>
 *   place       q0 q1 FF FF             one whole cell, coded, so that its key need not contain a qualifier of hundreds of bytes
 *               00 00 FF FF             all coded cells of the row, if they are coded together
 *   directly    q0 q1 q2 …              any other cell, under its qualifier
 *               q0 q1 FF FF FF q4 …     with FF inserted, if its bytes q2 and q3 are FF
 * </pre>
 *
 * <p>The forms are disjoint: a key of the third form does not have FF FF after q0 q1, or ends
 * earlier; a key of the last form is longer than a place. Directly stored cells have the order of
 * their qualifiers: of two qualifiers with the same beginning, FF is inserted either in both or in
 * the greater one.
 */
final class CodedKeys {
  /** Bytes of a qualifier in its place. */
  static final int PREFIX = 2;

  /** Bytes of a qualifier that may have a place of its own. */
  private static final int MIN_QUALIFIER = 6;

  private static final int PLACE = 4;
  private static final byte FF = (byte) 0xFF;

  private CodedKeys() {}

  /** The place of a qualifier of at least two bytes. */
  static byte[] place(byte[] qualifier) {
    return new byte[] {qualifier[0], qualifier[1], FF, FF};
  }

  /** The place of all coded cells of a row. */
  static byte[] ofRow() {
    return new byte[] {0, 0, FF, FF};
  }

  /** The end of the key of a directly stored cell. */
  static byte[] direct(byte[] qualifier) {
    if (!isHigh(qualifier, 0, qualifier.length)) {
      return qualifier;
    }
    byte[] end = new byte[qualifier.length + 1];
    System.arraycopy(qualifier, 0, end, 0, PLACE);
    end[PLACE] = FF;
    System.arraycopy(qualifier, PLACE, end, PLACE + 1, qualifier.length - PLACE);
    return end;
  }

  /** Whether a key with an encoded row up to {@code rowEnd} is that of a place. */
  static boolean isPlace(byte[] key, int rowEnd, int keyLength) {
    return keyLength == rowEnd + PLACE && isHigh(key, rowEnd, keyLength);
  }

  /** The qualifier of a directly stored cell, from its key. */
  static byte[] qualifier(byte[] key, int rowEnd, int keyLength) {
    if (!isHigh(key, rowEnd, keyLength)) {
      return Arrays.copyOfRange(key, rowEnd, keyLength);
    }
    byte[] qualifier = new byte[keyLength - rowEnd - 1];
    System.arraycopy(key, rowEnd, qualifier, 0, PLACE);
    System.arraycopy(key, rowEnd + PLACE + 1, qualifier, PLACE, qualifier.length - PLACE);
    return qualifier;
  }

  /**
   * A lower bound, inclusive, of the ends of keys of all cells with a qualifier not less than this
   * one, if each has a place of its own.
   */
  static byte[] lower(byte[] start) {
    return isHigh(start, 0, start.length) ? place(start) : start;
  }

  /**
   * An upper bound, exclusive, of the ends of keys of all cells with a qualifier less than this
   * one, if each has a place of its own.
   */
  static byte[] upper(byte[] stop) {
    if (stop.length <= PREFIX) {
      return stop;
    }
    return isHigh(stop, 0, stop.length) ? direct(stop) : Arrays.copyOf(place(stop), PLACE + 1);
  }

  /** Whether columns may include the cell of a place of its own, judging by its key. */
  static boolean mayInclude(Columns columns, byte[] key, int rowEnd) {
    byte[] prefix = {key[rowEnd], key[rowEnd + 1]};
    if (columns instanceof Columns.Range range) {
      byte[] start = range.start();
      byte[] stop = range.stop();
      int common = Math.min(start.length, PREFIX);
      return Arrays.compareUnsigned(prefix, 0, PREFIX, start, 0, common) >= 0
          && (stop == null || Arrays.compareUnsigned(prefix, stop) < 0);
    }
    if (columns instanceof Columns.Exact exact) {
      for (byte[] wanted : exact.qualifiers()) {
        if (wanted.length >= MIN_QUALIFIER && wanted[0] == prefix[0] && wanted[1] == prefix[1]) {
          return true;
        }
      }
      return false;
    }
    return true;
  }

  /** Whether the third and the fourth byte are FF. */
  static boolean isHigh(byte[] bytes, int from, int to) {
    return to - from >= PLACE && bytes[from + 2] == FF && bytes[from + 3] == FF;
  }
}
