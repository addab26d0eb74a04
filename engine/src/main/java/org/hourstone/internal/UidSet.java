package org.hourstone.internal;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set of UIDs of one width, of 1 to 8 bytes. Those that a counter has assigned take about a bit
 * of memory each: all of 3 bytes together take 6 MB. Not thread-safe.
 */
public final class UidSet {
  /** The number of bits of a UID that choose one in a block. */
  private static final int BLOCK_BITS = 9;

  private static final int IN_BLOCK = (1 << BLOCK_BITS) - 1;

  /** By the upper bits of their UIDs; none is empty. */
  private final Map<Long, BitSet> blocks = new HashMap<>();

  /** Adds a UID. */
  public void add(byte[] uid) {
    add(uid, 0, uid.length);
  }

  /** Adds a part of an array. */
  public void add(byte[] source, int from, int width) {
    long number = number(source, from, width);
    blocks
        .computeIfAbsent(number >>> BLOCK_BITS, block -> new BitSet())
        .set((int) number & IN_BLOCK);
  }

  /** Whether a UID is in the set. */
  public boolean contains(byte[] uid) {
    long number = number(uid, 0, uid.length);
    BitSet block = blocks.get(number >>> BLOCK_BITS);
    return block != null && block.get((int) number & IN_BLOCK);
  }

  /** Removes a UID; no effect if it is not in the set. */
  public void remove(byte[] uid) {
    long number = number(uid, 0, uid.length);
    blocks.computeIfPresent(
        number >>> BLOCK_BITS,
        (key, block) -> {
          block.clear((int) number & IN_BLOCK);
          return block.isEmpty() ? null : block;
        });
  }

  /** How many parts it has, of up to about 170 bytes of memory each. */
  int blocks() {
    return blocks.size();
  }

  private static long number(byte[] source, int from, int width) {
    long number = 0;
    for (int i = from; i < from + width; i++) {
      number = number << Byte.SIZE | Byte.toUnsignedInt(source[i]);
    }
    return number;
  }
}
