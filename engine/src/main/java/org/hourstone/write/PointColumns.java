package org.hourstone.write;

import java.util.Arrays;

/**
 * Valid points whose series are known, in the order of their arrival: in columns, without an object
 * for each. Not thread-safe.
 */
final class PointColumns {
  Series[] series;
  long[] timestamps;
  long[] raws;
  byte[] flags;
  long[] tokens;
  int size;

  PointColumns(int capacity) {
    series = new Series[capacity];
    timestamps = new long[capacity];
    raws = new long[capacity];
    flags = new byte[capacity];
    tokens = new long[capacity];
  }

  /**
   * @param token with which the receipt receives the outcome of the point
   */
  void add(Series of, long timestamp, int valueFlags, long raw, long token) {
    if (size == tokens.length) {
      grow();
    }
    series[size] = of;
    timestamps[size] = timestamp;
    flags[size] = (byte) valueFlags;
    raws[size] = raw;
    tokens[size] = token;
    size++;
  }

  private void grow() {
    int more = size * 2 + 1;
    series = Arrays.copyOf(series, more);
    timestamps = Arrays.copyOf(timestamps, more);
    raws = Arrays.copyOf(raws, more);
    flags = Arrays.copyOf(flags, more);
    tokens = Arrays.copyOf(tokens, more);
  }

  /** Tells that the points are not written. */
  void fail(Receipt receipt, RuntimeException reason) {
    for (int i = 0; i < size; i++) {
      Receipts.tell(receipt, tokens[i], reason);
    }
  }
}
