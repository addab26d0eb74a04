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
   * @param token with which the outcome of the point is told
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

  void clear() {
    Arrays.fill(series, 0, size, null);
    size = 0;
  }

  private boolean isIn(int i, int share, int shares) {
    return Math.floorMod(series[i].hashCode(), shares) == share;
  }

  /**
   * A copy of the points whose series are in a share, which have the same order.
   *
   * @param share of several, by the series' hash codes
   * @param shares how many there are
   */
  PointColumns share(int share, int shares) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      count += isIn(i, share, shares) ? 1 : 0;
    }
    PointColumns part = new PointColumns(count);
    for (int i = 0; i < size; i++) {
      if (isIn(i, share, shares)) {
        part.add(series[i], timestamps[i], flags[i], raws[i], tokens[i]);
      }
    }
    return part;
  }

  /** Tells that the points of a share are not written. */
  void fail(int share, int shares, Receipt receipt, RuntimeException reason) {
    for (int i = 0; i < size; i++) {
      if (isIn(i, share, shares)) {
        Receipts.tell(receipt, tokens[i], reason);
      }
    }
  }
}
