package org.hourstone.index;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The series of a metric that have a tag name, by the value. A value that only one series has, such
 * as a host name, needs no bitmap. Not thread-safe.
 */
final class TagColumn {
  private static final int NONE = -1;

  /** Approximate memory of a bitmap in addition to the size it reports. */
  private static final int BITMAP_OVERHEAD = 64;

  private final RoaringBitmap present = new RoaringBitmap();
  private long[] values = new long[4];

  /** The only series of each value that has no bitmap. */
  private int[] single = new int[4];

  private @Nullable RoaringBitmap[] several = new @Nullable RoaringBitmap[4];
  private int size;

  /** Open addressing: indices of values, or NONE; a power of two long, at most half full. */
  private int[] table = emptyTable(8);

  private static int[] emptyTable(int length) {
    int[] table = new int[length];
    Arrays.fill(table, NONE);
    return table;
  }

  /** The series that have the tag name; not to be changed. */
  RoaringBitmap present() {
    return present;
  }

  /** The number of distinct values. */
  int size() {
    return size;
  }

  /**
   * The values, in order of arrival. The array may be longer than {@link #size}; its first {@link
   * #size} elements never change.
   */
  long[] values() {
    return values;
  }

  long value(int i) {
    return values[i];
  }

  /** The number of series that have the {@code i}th value. */
  int seriesOf(int i) {
    RoaringBitmap bitmap = several[i];
    return bitmap == null ? 1 : bitmap.getCardinality();
  }

  /** Adds a series with this value; its number must be larger than all previous ones. */
  void add(long value, int series) {
    present.add(series);
    int slot = slot(value);
    int i = table[slot];
    if (i == NONE) {
      table[slot] = append(value, series);
      if (size * 2 > table.length) {
        grow();
      }
      return;
    }
    RoaringBitmap bitmap = several[i];
    if (bitmap == null) {
      bitmap = RoaringBitmap.bitmapOf(single[i]);
      several[i] = bitmap;
    }
    bitmap.add(series);
  }

  private int append(long value, int series) {
    if (size == values.length) {
      int length = size * 2;
      values = Arrays.copyOf(values, length);
      single = Arrays.copyOf(single, length);
      several = Arrays.copyOf(several, length);
    }
    values[size] = value;
    single[size] = series;
    return size++;
  }

  private void grow() {
    table = emptyTable(table.length * 2);
    for (int i = 0; i < size; i++) {
      table[slot(values[i])] = i;
    }
  }

  private int slot(long value) {
    int mask = table.length - 1;
    long mixed = value * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (table[slot] != NONE && values[table[slot]] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Adds the series with a value to a set. */
  void addTo(RoaringBitmap set, long value) {
    int i = table[slot(value)];
    if (i != NONE) {
      addIndexed(set, i);
    }
  }

  private void addIndexed(RoaringBitmap set, int i) {
    RoaringBitmap bitmap = several[i];
    if (bitmap == null) {
      set.add(single[i]);
    } else {
      set.or(bitmap);
    }
  }

  /** The series that have one of the values with these indices. */
  RoaringBitmap havingAny(BitSet indices) {
    RoaringBitmap set = new RoaringBitmap();
    for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
      addIndexed(set, i);
    }
    return set;
  }

  /** Adds the indices of the values that some of these series have. */
  void addAmong(RoaringBitmap series, BitSet indices) {
    for (int i = 0; i < size; i++) {
      RoaringBitmap bitmap = several[i];
      if (bitmap == null ? series.contains(single[i]) : RoaringBitmap.intersects(series, bitmap)) {
        indices.set(i);
      }
    }
  }

  /** The index of a value, or -1 if no series has it. */
  int indexOf(long value) {
    return table[slot(value)];
  }

  /** Compresses the bitmaps. */
  void optimize() {
    present.runOptimize();
    for (int i = 0; i < size; i++) {
      RoaringBitmap bitmap = several[i];
      if (bitmap != null) {
        bitmap.runOptimize();
        bitmap.trim();
      }
    }
  }

  /** The approximate memory of this object. */
  long memory() {
    long memory = 4L * table.length + 16L * values.length + present.getLongSizeInBytes();
    for (int i = 0; i < size; i++) {
      RoaringBitmap bitmap = several[i];
      if (bitmap != null) {
        memory += BITMAP_OVERHEAD + bitmap.getLongSizeInBytes();
      }
    }
    return memory;
  }
}
