package org.hourstone.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Points of one row in little memory, from which they are copied much faster than they are decoded:
 * offsets with one step as two numbers, equal flags once, and the values in as few bytes as the
 * widest one needs. Immutable.
 */
public final class PackedPoints {
  /** Of the object itself, and the header of each of its arrays. */
  private static final long OBJECT_BYTES = 56;

  private static final long ARRAY_BYTES = 24;

  private final int first;
  private final int step;

  /** Null if they have the same step. */
  private final int @Nullable [] offsets;

  /** One for all, or one for each. */
  private final byte[] flags;

  private final PackedValues values;
  private final boolean ascending;

  private PackedPoints(int[] offsets, byte[] flags, PackedValues values) {
    first = offsets[0];
    step = offsets[1] - first;
    boolean regular = true;
    boolean inOrder = true;
    for (int i = 1; i < offsets.length; i++) {
      int next = offsets[i] - offsets[i - 1];
      regular &= next == step;
      inOrder &= next > 0;
    }
    this.offsets = regular ? null : offsets;
    this.flags = flags;
    this.values = values;
    ascending = inOrder;
  }

  /** Points, at least two, in columns as {@link RowPoints#addAll} takes them; they are used on. */
  static PackedPoints of(int[] offsets, byte[] flags, long[] raws) {
    boolean equal = Arrays.equals(flags, 0, flags.length - 1, flags, 1, flags.length);
    return new PackedPoints(
        offsets, equal ? Arrays.copyOf(flags, 1) : flags, PackedValues.of(raws));
  }

  /** The number of points. */
  public int size() {
    return values.size();
  }

  /** Approximately how many bytes of memory they take. */
  public long memoryBytes() {
    return OBJECT_BYTES
        + (offsets == null ? 0 : ARRAY_BYTES + (long) Integer.BYTES * offsets.length)
        + ARRAY_BYTES
        + flags.length
        + ARRAY_BYTES
        + values.bytes();
  }

  /** Whether they are in time order, each timestamp once. */
  boolean isAscending() {
    return ascending;
  }

  /**
   * Copies them to columns from an index on.
   *
   * @param points may know the offsets already
   */
  void copyTo(RowPoints points, int[] toOffsets, byte[] toFlags, long[] toRaws, int at) {
    int count = size();
    int[] from = offsets == null ? points.regularOffsets(first, step, count) : offsets;
    System.arraycopy(from, 0, toOffsets, at, count);
    if (flags.length == 1) {
      Arrays.fill(toFlags, at, at + count, flags[0]);
    } else {
      System.arraycopy(flags, 0, toFlags, at, count);
    }
    values.copyTo(toRaws, at);
  }
}
