package org.hourstone.index;

import java.util.Arrays;

/**
 * Distinct byte strings, numbered in order of arrival, in a few large arrays. Each takes about 15
 * bytes in addition to its own. Strings are never removed. Elements below an observed size never
 * change, so {@link #bytes} and {@link #ends} may be read while strings are added. Otherwise not
 * thread-safe.
 */
final class PackedKeys {
  /** Beyond this number of bytes, arrays would become too large. */
  private static final int MOST_BYTES = 1 << 30;

  private static final int NONE = -1;

  private byte[] bytes = new byte[64];
  private int[] ends = new int[8];
  private int size;

  /** Open addressing: numbers, or NONE; a power of two long, at most two thirds full. */
  private int[] table = emptyTable(16);

  private static int[] emptyTable(int length) {
    int[] table = new int[length];
    Arrays.fill(table, NONE);
    return table;
  }

  int size() {
    return size;
  }

  /** The strings, concatenated. */
  byte[] bytes() {
    return bytes;
  }

  /** The end of each string in {@link #bytes}. */
  int[] ends() {
    return ends;
  }

  /** The approximate memory of this object. */
  long memory() {
    return bytes.length + 4L * ends.length + 4L * table.length;
  }

  boolean contains(byte[] source, int from, int to) {
    return table[slot(source, from, to)] != NONE;
  }

  /**
   * Adds a string.
   *
   * @return its number, or -1 if it was already present
   * @throws IllegalStateException if no more strings fit
   */
  int add(byte[] source, int from, int to) {
    int slot = slot(source, from, to);
    if (table[slot] != NONE) {
      return -1;
    }
    int start = size == 0 ? 0 : ends[size - 1];
    int end = start + to - from;
    if (end > MOST_BYTES) {
      throw new IllegalStateException("more than 2^30 bytes of keys");
    }
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length + (bytes.length >> 1)));
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size + (size >> 1));
    }
    System.arraycopy(source, from, bytes, start, to - from);
    ends[size] = end;
    table[slot] = size++;
    if (size * 3L > table.length * 2L) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    table = emptyTable(table.length * 2);
    int start = 0;
    for (int i = 0; i < size; i++) {
      table[slot(bytes, start, ends[i])] = i;
      start = ends[i];
    }
  }

  /** The slot of a string in the table, or the free slot for it. */
  private int slot(byte[] source, int from, int to) {
    int mask = table.length - 1;
    int slot = hash(source, from, to) & mask;
    while (table[slot] != NONE && !holds(table[slot], source, from, to)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean holds(int number, byte[] source, int from, int to) {
    int start = number == 0 ? 0 : ends[number - 1];
    return Arrays.equals(bytes, start, ends[number], source, from, to);
  }

  private static int hash(byte[] source, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + source[i];
    }
    // UIDs are consecutive numbers: without mixing, they would cluster in the table.
    hash = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
    hash = (hash ^ (hash >>> 13)) * 0xC2B2AE35;
    return hash ^ (hash >>> 16);
  }
}
