package org.hourstone.write;

import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Valid points whose series are known, in the order of their arrival: in columns, without an object
 * for each. Has one owner at a time, which passes it on: the thread that gathers the points, then
 * the queue, then the writing thread, and then perhaps the spare columns. Not thread-safe.
 */
final class PointColumns {
  /** The number of points for one thread that are usually sent together. */
  static final int MOST = 1024;

  Series[] series;
  long[] timestamps;
  long[] raws;
  byte[] flags;
  long[] tokens;
  int size;

  private final @Nullable Queue<PointColumns> spares;

  PointColumns(int capacity) {
    this(capacity, null);
  }

  /**
   * @param spares the columns are added to it when they are {@linkplain #release released}, unless
   *     it is full
   */
  PointColumns(int capacity, @Nullable Queue<PointColumns> spares) {
    this.spares = spares;
    series = new Series[capacity];
    timestamps = new long[capacity];
    raws = new long[capacity];
    flags = new byte[capacity];
    tokens = new long[capacity];
  }

  /** Columns with the same points and no room for others. */
  PointColumns copy() {
    PointColumns copy = new PointColumns(size);
    System.arraycopy(series, 0, copy.series, 0, size);
    System.arraycopy(timestamps, 0, copy.timestamps, 0, size);
    System.arraycopy(raws, 0, copy.raws, 0, size);
    System.arraycopy(flags, 0, copy.flags, 0, size);
    System.arraycopy(tokens, 0, copy.tokens, 0, size);
    copy.size = size;
    return copy;
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

  /** Forgets the points. */
  void clear() {
    Arrays.fill(series, 0, size, null); // they may not be kept by others any more
    size = 0;
  }

  /** The owner needs the columns no more. */
  void release() {
    if (spares != null) {
      clear();
      boolean unused = spares.offer(this);
    }
  }

  /** Tells that the points are not written. */
  void fail(Receipt receipt, RuntimeException reason) {
    for (int i = 0; i < size; i++) {
      Receipts.tell(receipt, tokens[i], reason);
    }
  }
}
