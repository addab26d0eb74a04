package org.hourstone.query;

import java.util.Arrays;

/**
 * The points of one series in primitive columns, ascending in time. A value is an integer or a
 * double; which of both stands beside it. Not thread-safe.
 */
final class PointColumn {
  private int size;
  private long[] millis = new long[16];
  private long[] bits = new long[16];
  private boolean[] integers = new boolean[16];

  int size() {
    return size;
  }

  long millis(int i) {
    return millis[i];
  }

  boolean isInteger(int i) {
    return integers[i];
  }

  /** The value of an integer point. */
  long longValue(int i) {
    return bits[i];
  }

  double doubleValue(int i) {
    return integers[i] ? bits[i] : Double.longBitsToDouble(bits[i]);
  }

  void addLong(long time, long value) {
    add(time, value, true);
  }

  void addDouble(long time, double value) {
    add(time, Double.doubleToRawLongBits(value), false);
  }

  private void add(long time, long valueBits, boolean integer) {
    if (size == millis.length) {
      int capacity = size + (size >> 1);
      millis = Arrays.copyOf(millis, capacity);
      bits = Arrays.copyOf(bits, capacity);
      integers = Arrays.copyOf(integers, capacity);
    }
    millis[size] = time;
    bits[size] = valueBits;
    integers[size] = integer;
    size++;
  }

  /** The index of the first point not before an instant. */
  int firstFrom(long time) {
    int at = Arrays.binarySearch(millis, 0, size, time);
    return at >= 0 ? at : -at - 1;
  }
}
