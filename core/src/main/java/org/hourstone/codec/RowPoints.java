package org.hourstone.codec;

import java.util.Arrays;

/**
 * The points of one row in primitive columns, ascending by offset, each timestamp once when {@link
 * RowDecoder} has finished. Reused from row to row so that reading allocates nothing per point. Not
 * thread-safe.
 */
public final class RowPoints {
  /** In addition to the qualifier's flags: the timestamp is in milliseconds. */
  private static final int MILLIS = 0x10;

  private int size;
  private int[] offsets = new int[64];
  private byte[] flags = new byte[64];
  private long[] raws = new long[64];

  /** No points. */
  public RowPoints() {}

  public int size() {
    return size;
  }

  /** The point's offset from the row's base time, in milliseconds. */
  public int offset(int i) {
    return offsets[i];
  }

  /** The index of the first point that is not before an offset; {@link #size} if there is none. */
  public int indexOf(int offset) {
    int at = Arrays.binarySearch(offsets, 0, size, offset);
    return at < 0 ? -1 - at : at;
  }

  /** The flags of the point's qualifier, which give type and length of its value. */
  public int flags(int i) {
    return flags[i] & 0xF;
  }

  /** Whether the point was written with a timestamp in milliseconds. */
  public boolean isMillis(int i) {
    return (flags[i] & MILLIS) != 0;
  }

  public boolean isFloat(int i) {
    return (flags[i] & Qualifier.FLOAT) != 0;
  }

  /** The raw value, see {@link Value}: the integer, or the bits of the float or double. */
  public long raw(int i) {
    return raws[i];
  }

  public double toDouble(int i) {
    return Value.toDouble(flags(i), raws[i]);
  }

  /** Drops all points. */
  public void clear() {
    size = 0;
  }

  /** Drops the points from {@code first} on. */
  void cut(int first) {
    size = first;
  }

  /**
   * Adds a point after the others.
   *
   * @param offset milliseconds from the row's base time
   * @param millis whether its timestamp is in milliseconds
   * @param valueFlags the flags of its qualifier
   * @param raw the raw value, see {@link Value}
   */
  public void add(int offset, boolean millis, int valueFlags, long raw) {
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, size * 2);
      flags = Arrays.copyOf(flags, size * 2);
      raws = Arrays.copyOf(raws, size * 2);
    }
    offsets[size] = offset;
    flags[size] = (byte) (millis ? valueFlags | MILLIS : valueFlags);
    raws[size] = raw;
    size++;
  }

  /** Replaces the last point by the {@code i}th point of {@code other}. */
  void setLastFrom(RowPoints other, int i) {
    size--;
    addFrom(other, i);
  }

  /** Sorts the points by time. */
  public void sort() {
    sort(0);
  }

  /**
   * Sorts the points from {@code first} on by time; points with the same timestamp keep their
   * order.
   */
  void sort(int first) {
    if (isAscendingFrom(first)) {
      return;
    }
    int count = size - first;
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = ((long) offsets[first + i] << Integer.SIZE) | (first + i);
    }
    Arrays.sort(order);
    int[] oldOffsets = Arrays.copyOfRange(offsets, first, size);
    byte[] oldFlags = Arrays.copyOfRange(flags, first, size);
    long[] oldRaws = Arrays.copyOfRange(raws, first, size);
    for (int i = 0; i < count; i++) {
      int from = (int) order[i] - first;
      offsets[first + i] = oldOffsets[from];
      flags[first + i] = oldFlags[from];
      raws[first + i] = oldRaws[from];
    }
  }

  /**
   * Drops every point from {@code first} on that is followed by one with the same timestamp. These
   * points must be sorted.
   */
  void keepLastOfEachInstant(int first) {
    int kept = first;
    for (int i = first; i < size; i++) {
      if (i + 1 < size && offsets[i + 1] == offsets[i]) {
        continue;
      }
      offsets[kept] = offsets[i];
      flags[kept] = flags[i];
      raws[kept] = raws[i];
      kept++;
    }
    size = kept;
  }

  /** Whether the points are in time order, each timestamp once. */
  boolean isAscending() {
    return isAscendingFrom(0);
  }

  private boolean isAscendingFrom(int first) {
    for (int i = first + 1; i < size; i++) {
      if (offsets[i - 1] >= offsets[i]) {
        return false;
      }
    }
    return true;
  }

  /** Replaces all points by those of {@code other}. */
  void setAll(RowPoints other) {
    clear();
    for (int i = 0; i < other.size; i++) {
      addFrom(other, i);
    }
  }

  /** Adds the {@code i}th point of {@code other}. */
  void addFrom(RowPoints other, int i) {
    add(other.offsets[i], other.isMillis(i), other.flags(i), other.raws[i]);
  }

  /** Whether two points' values have the same bytes, whatever their types. */
  boolean sameBytes(int i, int j) {
    int length = Qualifier.valueLength(flags[i]);
    if (length != Qualifier.valueLength(flags[j])) {
      return false;
    }
    int unused = 64 - 8 * length;
    return raws[i] << unused == raws[j] << unused;
  }

  byte[] valueBytes(int i) {
    return Value.encode(flags(i), raws[i]);
  }

  /** Writes the point's qualifier as it was read; returns the index after it. */
  int putQualifier(int i, byte[] target, int at) {
    return isMillis(i)
        ? Qualifier.putMillis(offsets[i], flags(i), target, at)
        : Qualifier.putSeconds(offsets[i] / 1000, flags(i), target, at);
  }

  /** Writes the point's value as it was read; returns the index after it. */
  int putValue(int i, byte[] target, int at) {
    int length = Qualifier.valueLength(flags[i]);
    Bytes.putLow(raws[i], length, target, at);
    return at + length;
  }
}
