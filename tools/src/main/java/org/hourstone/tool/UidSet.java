package org.hourstone.tool;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.hourstone.kv.Bytes;

/** UIDs of one width; those of up to three bytes take a bit of memory each. Not thread-safe. */
final class UidSet {
  private static final int WIDEST_NUMBER = 3;

  private final boolean isNumbers;
  private final BitSet numbers = new BitSet();
  private final Set<Bytes> others = new HashSet<>();

  /**
   * @param width of a UID in bytes
   */
  UidSet(int width) {
    this.isNumbers = width <= WIDEST_NUMBER;
  }

  /** Adds a part of an array. */
  void add(byte[] source, int from, int width) {
    if (isNumbers) {
      numbers.set(number(source, from, width));
    } else {
      byte[] uid = new byte[width];
      System.arraycopy(source, from, uid, 0, width);
      others.add(new Bytes(uid));
    }
  }

  boolean contains(byte[] uid) {
    return isNumbers
        ? uid.length <= WIDEST_NUMBER && numbers.get(number(uid, 0, uid.length))
        : others.contains(new Bytes(uid));
  }

  private static int number(byte[] source, int from, int width) {
    int number = 0;
    for (int i = from; i < from + width; i++) {
      number = number << Byte.SIZE | Byte.toUnsignedInt(source[i]);
    }
    return number;
  }
}
