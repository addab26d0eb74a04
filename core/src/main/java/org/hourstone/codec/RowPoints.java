package org.hourstone.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The points of one row in primitive columns, ascending by offset; after {@link RowDecoder} has
 * finished each timestamp occurs once. Reused for further rows, so that reading allocates nothing
 * per point. Not thread-safe.
 */
public final class RowPoints {
  /** In addition to the qualifier's flags: the timestamp is in milliseconds. */
  private static final int MILLIS = 0x10;

  private static final int LEAST_CAPACITY = 64;

  // Shared, because there are four of these for each row of rolled-up values that is written.
  private static final int[] NO_INTS = {};
  private static final byte[] NO_BYTES = {};
  private static final long[] NO_LONGS = {};
  private static final double[] NO_DOUBLES = {};

  private int size;
  private int[] offsets = NO_INTS;
  private byte[] flags = NO_BYTES;
  private long[] raws = NO_LONGS;

  /** How many points from the first on are known to be in time order, each timestamp once. */
  private int ascending;

  /** The offsets of the regular points that were added last. */
  private int[] regular = NO_INTS;

  /** What {@link #doubles()} returns. */
  private double[] doubles = NO_DOUBLES;

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

  /** The flags of the point's qualifier: type and length of its value. */
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
    cut(0);
  }

  /** Drops the points from {@code first} on. */
  void cut(int first) {
    size = first;
    ascending = Math.min(ascending, first);
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
    reserve(1);
    offsets[size] = offset;
    flags[size] = (byte) (millis ? valueFlags | MILLIS : valueFlags);
    raws[size] = raw;
    size++;
  }

  /**
   * An array of offsets for the next {@link #addAll}. While there are no points it is the present
   * one, if that has this length, as for most rows of a series. Its content is arbitrary.
   */
  public int[] spareOffsets(int count) {
    return size == 0 && offsets.length == count ? offsets : new int[count];
  }

  /** As {@link #spareOffsets}, for flags. */
  public byte[] spareFlags(int count) {
    return size == 0 && flags.length == count ? flags : new byte[count];
  }

  /** As {@link #spareOffsets}, for raw values. */
  public long[] spareRaws(int count) {
    return size == 0 && raws.length == count ? raws : new long[count];
  }

  /**
   * Adds points after the others. The arrays must not be used afterwards: if there are no other
   * points, they become the columns.
   *
   * @param newOffsets in milliseconds from the row's base time
   * @param newFlags of their qualifiers, plus 0x10 for a timestamp in milliseconds
   * @param newRaws the raw values, see {@link Value}
   */
  public void addAll(int[] newOffsets, byte[] newFlags, long[] newRaws) {
    int count = newOffsets.length;
    if (size == 0) {
      offsets = newOffsets;
      flags = newFlags;
      raws = newRaws;
      size = count;
      return;
    }
    reserve(count);
    System.arraycopy(newOffsets, 0, offsets, size, count);
    System.arraycopy(newFlags, 0, flags, size, count);
    System.arraycopy(newRaws, 0, raws, size, count);
    size += count;
  }

  /** Adds points after the others. */
  public void addAll(PackedPoints packed) {
    int count = packed.size();
    reserve(count);
    packed.copyTo(this, offsets, flags, raws, size);
    if (size == 0 && packed.isAscending()) {
      ascending = count;
    }
    size += count;
  }

  /** Offsets from {@code first} on, with a step; there may be more than {@code count}. */
  int[] regularOffsets(int first, int step, int count) {
    if (regular.length < count || regular[0] != first || regular[1] - first != step) {
      regular = new int[Math.max(2, count)];
      for (int i = 0; i < regular.length; i++) {
        regular[i] = first + i * step;
      }
    }
    return regular;
  }

  /** A copy of the points from {@code first} on, of which there are two at least. */
  public PackedPoints packed(int first) {
    return PackedPoints.of(
        Arrays.copyOfRange(offsets, first, size),
        Arrays.copyOfRange(flags, first, size),
        Arrays.copyOfRange(raws, first, size));
  }

  int capacity() {
    return Math.max(raws.length, doubles.length);
  }

  /** Makes room for more points. */
  public void reserve(int count) {
    if (count > offsets.length - size) {
      int capacity = Math.max(LEAST_CAPACITY, Math.max(2 * size, Math.addExact(size, count)));
      offsets = Arrays.copyOf(offsets, capacity);
      flags = Arrays.copyOf(flags, capacity);
      raws = Arrays.copyOf(raws, capacity);
    }
  }

  /**
   * Adds points that follow each other in a multi-point cell, as long as their qualifiers have two
   * bytes and the same flags.
   *
   * @param qualifiers those of the cell
   * @param at where the first one starts
   * @param values those of the cell, which has those of all the points
   * @param valueAt where the first one starts
   * @return how many points; at least one if the first has two bytes and its value is whole
   */
  public int addRun(byte[] qualifiers, int at, byte[] values, int valueAt) {
    int valueFlags = Qualifier.flags(qualifiers, at);
    int length = Qualifier.valueLength(valueFlags);
    int most = Math.min((qualifiers.length - at) / 2, (values.length - valueAt) / length);
    reserve(most);
    int count = 0;
    while (count < most) {
      int qualifier = BigEndian.shortAt(qualifiers, at + 2 * count);
      if (qualifier >= Qualifier.LEAST_MILLIS || (qualifier & 0xF) != valueFlags) {
        break;
      }
      offsets[size + count] = (qualifier >>> 4) * 1000;
      count++;
    }
    Arrays.fill(flags, size, size + count, (byte) valueFlags);
    readRaws(valueFlags, values, valueAt, count);
    size += count;
    return count;
  }

  private void readRaws(int valueFlags, byte[] values, int valueAt, int count) {
    if (valueFlags == 0) {
      for (int i = 0; i < count; i++) {
        raws[size + i] = values[valueAt + i];
      }
      return;
    }
    int length = Qualifier.valueLength(valueFlags);
    for (int i = 0; i < count; i++) {
      raws[size + i] = Value.rawAt(valueFlags, values, valueAt + i * length);
    }
  }

  /**
   * All values as doubles. The array is reused when the points change, and may be longer than the
   * number of points.
   */
  public double[] doubles() {
    if (doubles.length < size) {
      doubles = new double[offsets.length];
    }
    if (!haveEqualFlags(0, size)) {
      for (int i = 0; i < size; i++) {
        doubles[i] = toDouble(i);
      }
    } else if (!isFloat(0)) {
      for (int i = 0; i < size; i++) {
        doubles[i] = raws[i];
      }
    } else if (Qualifier.valueLength(flags[0]) == Float.BYTES) {
      for (int i = 0; i < size; i++) {
        doubles[i] = Float.intBitsToFloat((int) raws[i]);
      }
    } else {
      for (int i = 0; i < size; i++) {
        doubles[i] = Double.longBitsToDouble(raws[i]);
      }
    }
    return doubles;
  }

  /**
   * All values, if each is an integer of at most four bytes, else null. The array is not a copy,
   * and may be longer than the number of points.
   */
  public long @Nullable [] smallIntegers() {
    int all = size;
    if (haveEqualFlags(0, size)) {
      all = 1;
    }
    int used = 0;
    for (int i = 0; i < all; i++) {
      used |= flags[i];
    }
    return (used & (Qualifier.FLOAT | Integer.BYTES)) == 0 ? raws : null;
  }

  /** Whether some points, at least one, have the same flags, as most rows have. */
  private boolean haveEqualFlags(int from, int to) {
    return from < to && Arrays.equals(flags, from, to - 1, flags, from + 1, to);
  }

  /**
   * Copies points to columns, from an index on. The columns must be long enough.
   *
   * @param baseMillis is added to the offsets
   * @param from the first point
   * @param to the point after the last
   * @param bits receives the integers, and the bits of other values as doubles
   * @param integers receives which are integers
   */
  public void copyTo(
      long baseMillis, int from, int to, long[] millis, long[] bits, boolean[] integers, int at) {
    int shift = at - from;
    for (int i = from; i < to; i++) {
      millis[shift + i] = baseMillis + offsets[i];
    }
    if (haveEqualFlags(from, to) && !isNarrowFloat(from)) {
      System.arraycopy(raws, from, bits, at, to - from);
      Arrays.fill(integers, at, shift + to, !isFloat(from));
      return;
    }
    for (int i = from; i < to; i++) {
      integers[shift + i] = !isFloat(i);
      bits[shift + i] =
          isNarrowFloat(i)
              ? Double.doubleToRawLongBits(Float.intBitsToFloat((int) raws[i]))
              : raws[i];
    }
  }

  private boolean isNarrowFloat(int i) {
    return isFloat(i) && Qualifier.valueLength(flags[i]) == Float.BYTES;
  }

  /** Replaces the last point by the {@code i}th point of {@code other}. */
  void setLastFrom(RowPoints other, int i) {
    cut(size - 1);
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
    ascending = Math.min(ascending, first);
  }

  /**
   * Drops every point from {@code first} on that is followed by one with the same timestamp. These
   * points must be sorted.
   */
  void keepLastOfEachInstant(int first) {
    if (isAscendingFrom(first)) {
      return;
    }
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
    ascending = Math.min(ascending, first);
  }

  /** Whether the points are in time order, each timestamp once. */
  boolean isAscending() {
    return isAscendingFrom(0);
  }

  private boolean isAscendingFrom(int first) {
    for (int i = Math.max(first + 1, ascending); i < size; i++) {
      if (offsets[i - 1] >= offsets[i]) {
        return false;
      }
    }
    if (first == 0 || first < ascending) {
      ascending = size;
    }
    return true;
  }

  /** Whether others are the same points, with the same flags and values, in the same order. */
  public boolean isSame(RowPoints other) {
    return size == other.size
        && Arrays.equals(offsets, 0, size, other.offsets, 0, size)
        && Arrays.equals(flags, 0, size, other.flags, 0, size)
        && Arrays.equals(raws, 0, size, other.raws, 0, size);
  }

  /** Replaces all points by those of {@code other}. */
  void setAll(RowPoints other) {
    size = other.size;
    ascending = other.ascending;
    offsets = Arrays.copyOf(other.offsets, size);
    flags = Arrays.copyOf(other.flags, size);
    raws = Arrays.copyOf(other.raws, size);
  }

  /** Exchanges all points for those of {@code other}. */
  void exchange(RowPoints other) {
    int ownSize = size;
    int ownAscending = ascending;
    int[] ownOffsets = offsets;
    byte[] ownFlags = flags;
    long[] ownRaws = raws;
    size = other.size;
    ascending = other.ascending;
    offsets = other.offsets;
    flags = other.flags;
    raws = other.raws;
    other.size = ownSize;
    other.ascending = ownAscending;
    other.offsets = ownOffsets;
    other.flags = ownFlags;
    other.raws = ownRaws;
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
    return Value.put(flags(i), raws[i], target, at);
  }
}
