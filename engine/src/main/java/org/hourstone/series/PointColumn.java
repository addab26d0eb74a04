package org.hourstone.series;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.hourstone.codec.RowPoints;

/**
 * The points of one series in primitive columns, ascending in time. A value is an integer or a
 * double; a flag for each says which. Points are added at the end and dropped from the start, both
 * without an allocation per point. Not thread-safe.
 */
public final class PointColumn {
  public static final int BYTES_PER_POINT = 2 * Long.BYTES + 1;
  private static final int LEAST_CAPACITY = 16;

  // Shared, because a small query would otherwise allocate a dozen.
  private static final long[] NO_LONGS = {};
  private static final boolean[] NO_BOOLEANS = {};
  private static final double[] NO_DOUBLES = {};

  /** The points have the indices from {@code from} to {@code to}, exclusive. */
  private int from;

  private int to;
  private long[] millis = NO_LONGS;
  private long[] bits = NO_LONGS;
  private boolean[] integers = NO_BOOLEANS;
  private double[] doubles = NO_DOUBLES;
  private final MemoryLease memory;

  /** A column without memory accounting. */
  public PointColumn() {
    this(MemoryLease.untracked());
  }

  /**
   * @param memory grown before the column grows
   */
  public PointColumn(MemoryLease memory) {
    this.memory = memory;
  }

  public int size() {
    return to - from;
  }

  boolean isEmpty() {
    return from == to;
  }

  public long millis(int i) {
    return millis[from + i];
  }

  public boolean isInteger(int i) {
    return integers[from + i];
  }

  /** The value of an integer point. */
  public long longValue(int i) {
    return bits[from + i];
  }

  public double doubleValue(int i) {
    return integers[from + i] ? bits[from + i] : Double.longBitsToDouble(bits[from + i]);
  }

  /** The integer, or the bits of the double. */
  long bits(int i) {
    return bits[from + i];
  }

  /**
   * All values as doubles. The array is the column's own, may be longer than the number of points,
   * and is valid until the column changes.
   */
  double[] doubles() {
    int size = size();
    if (doubles.length < size) {
      memory.grow((long) Double.BYTES * (millis.length - doubles.length));
      doubles = new double[millis.length];
    }
    for (int i = 0; i < size; i++) {
      doubles[i] = doubleValue(i);
    }
    return doubles;
  }

  public void addLong(long time, long value) {
    add(time, value, true);
  }

  public void addDouble(long time, double value) {
    add(time, Double.doubleToRawLongBits(value), false);
  }

  /** Adds the points of a row. */
  void addRow(long baseMillis, RowPoints points) {
    addRow(baseMillis, points, 0, points.size());
  }

  /**
   * Adds some of the points of a row.
   *
   * @param first the first one
   * @param end the one after the last
   */
  public void addRow(long baseMillis, RowPoints points, int first, int end) {
    reserve(end - first);
    points.copyTo(baseMillis, first, end, millis, bits, integers, to);
    to += end - first;
  }

  /** Adds the points of another column. */
  public void addAll(PointColumn other) {
    addAll(other, 0, other.size());
  }

  /** Adds some of the points of another column. */
  void addAll(PointColumn other, int first, int end) {
    int count = end - first;
    reserve(count);
    System.arraycopy(other.millis, other.from + first, millis, to, count);
    System.arraycopy(other.bits, other.from + first, bits, to, count);
    System.arraycopy(other.integers, other.from + first, integers, to, count);
    to += count;
  }

  /**
   * Moves all points of another column to this one, without copying if possible. The other column
   * is empty afterwards.
   */
  public void moveAll(PointColumn other) {
    if (isEmpty() && millis.length < other.millis.length) {
      exchange(other);
    } else {
      addAll(other);
    }
    other.clear();
  }

  private void exchange(PointColumn other) {
    if (memory != other.memory) {
      long more = (long) BYTES_PER_POINT * (other.millis.length - millis.length);
      memory.grow(more);
      other.memory.shrink(more);
    }
    long[] ownMillis = millis;
    long[] ownBits = bits;
    boolean[] ownIntegers = integers;
    millis = other.millis;
    bits = other.bits;
    integers = other.integers;
    from = other.from;
    to = other.to;
    other.millis = ownMillis;
    other.bits = ownBits;
    other.integers = ownIntegers;
  }

  /** Applies a function to the doubles from a point on. */
  void replaceDoubles(int first, DoubleUnaryOperator by) {
    for (int i = from + first; i < to; i++) {
      if (!integers[i]) {
        bits[i] = Double.doubleToRawLongBits(by.applyAsDouble(Double.longBitsToDouble(bits[i])));
      }
    }
  }

  private void add(long time, long valueBits, boolean integer) {
    reserve(1);
    millis[to] = time;
    bits[to] = valueBits;
    integers[to] = integer;
    to++;
  }

  /**
   * Makes room for more points: if many were dropped, by moving the others to the start, else by
   * growing the arrays.
   */
  public void reserve(int count) {
    if (count <= millis.length - to) {
      return;
    }
    int size = size();
    if (size + count <= millis.length && from >= size) {
      System.arraycopy(millis, from, millis, 0, size);
      System.arraycopy(bits, from, bits, 0, size);
      System.arraycopy(integers, from, integers, 0, size);
    } else {
      // A row is often followed by a single point, the one after the query's range.
      int more = size == 0 ? Math.addExact(count, count >> 4) : Math.addExact(size, count);
      int capacity = Math.max(LEAST_CAPACITY, Math.max(size + (size >> 1), more));
      memory.grow((long) BYTES_PER_POINT * (capacity - millis.length));
      // One after the other, so that only one old array exists at the same time as its copy.
      millis = Arrays.copyOfRange(millis, from, from + capacity);
      bits = Arrays.copyOfRange(bits, from, from + capacity);
      integers = Arrays.copyOfRange(integers, from, from + capacity);
    }
    from = 0;
    to = size;
  }

  /** Drops the first points. */
  void dropFirst(int count) {
    from += count;
    if (from == to) {
      clear();
    }
  }

  /** Drops all points; the memory is kept for reuse. */
  public void clear() {
    from = 0;
    to = 0;
  }

  /** Drops all points, and gives back their memory. */
  public void release() {
    clear();
    memory.shrink((long) BYTES_PER_POINT * millis.length + (long) Double.BYTES * doubles.length);
    millis = NO_LONGS;
    bits = NO_LONGS;
    integers = NO_BOOLEANS;
    doubles = NO_DOUBLES;
  }

  /** The index of the first point not before a timestamp. */
  public int firstFrom(long time) {
    int at = Arrays.binarySearch(millis, from, to, time);
    return (at >= 0 ? at : -at - 1) - from;
  }

  /**
   * The number of points from the {@code i}th on that have the same timestamps as those of another
   * column.
   */
  int sameTimes(int i, PointColumn other, int j, int most) {
    int a = from + i;
    int b = other.from + j;
    int count = Math.min(most, Math.min(to - a, other.to - b));
    int same = Arrays.mismatch(millis, a, a + count, other.millis, b, b + count);
    return same < 0 ? count : same;
  }

  /** Whether all points of a range are integers, or all are doubles. */
  boolean areAll(boolean integer, int first, int end) {
    for (int i = from + first; i < from + end; i++) {
      if (integers[i] != integer) {
        return false;
      }
    }
    return true;
  }

  /** Copies integers to an array, {@code stride} places apart. */
  void copyLongs(int first, int count, long[] target, int at, int stride) {
    int place = at;
    for (int i = from + first; i < from + first + count; i++) {
      target[place] = bits[i];
      place += stride;
    }
  }

  /** Copies values as doubles to an array, {@code stride} places apart. */
  void copyDoubles(int first, int count, double[] target, int at, int stride) {
    int place = at;
    for (int i = from + first; i < from + first + count; i++) {
      target[place] = integers[i] ? bits[i] : Double.longBitsToDouble(bits[i]);
      place += stride;
    }
  }
}
