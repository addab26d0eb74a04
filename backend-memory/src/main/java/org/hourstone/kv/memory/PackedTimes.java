package org.hourstone.kv.memory;

/**
 * The write times of a row's cells, each in as few bytes as their spread requires: none if all are
 * equal, three for an hour. Immutable.
 */
final class PackedTimes {
  static final PackedTimes NONE = new PackedTimes(0, 0, new byte[0]);

  private final long earliest;
  private final int width;

  /** For each cell {@code width} bytes, big-endian: the difference to the earliest time. */
  private final byte[] offsets;

  private PackedTimes(long earliest, int width, byte[] offsets) {
    this.earliest = earliest;
    this.width = width;
    this.offsets = offsets;
  }

  /** The first {@code count} of the given times, which must not be negative. */
  static PackedTimes of(long[] times, int count) {
    if (count == 0) {
      return NONE;
    }
    long earliest = times[0];
    long latest = times[0];
    for (int i = 1; i < count; i++) {
      earliest = Math.min(earliest, times[i]);
      latest = Math.max(latest, times[i]);
    }
    int width = (Long.SIZE - Long.numberOfLeadingZeros(latest - earliest) + 7) / Byte.SIZE;
    if (width == 0) {
      return new PackedTimes(earliest, 0, NONE.offsets);
    }
    byte[] offsets = new byte[count * width];
    for (int i = 0; i < count; i++) {
      long offset = times[i] - earliest;
      for (int at = (i + 1) * width - 1; at >= i * width; at--) {
        offsets[at] = (byte) offset;
        offset >>>= Byte.SIZE;
      }
    }
    return new PackedTimes(earliest, width, offsets);
  }

  long get(int i) {
    long offset = 0;
    for (int at = i * width; at < (i + 1) * width; at++) {
      offset = offset << Byte.SIZE | Byte.toUnsignedLong(offsets[at]);
    }
    return earliest + offset;
  }

  /** The times of the cells from {@code from} to {@code to}, exclusive. */
  long[] copyOfRange(int from, int to) {
    long[] times = new long[to - from];
    for (int i = from; i < to; i++) {
      times[i - from] = get(i);
    }
    return times;
  }

  /** The number of bytes of the times. */
  int bytes() {
    return offsets.length;
  }
}
