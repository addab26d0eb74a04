package org.hourstone.write;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Points that wait until the series of some of them are resolved, in their order and in columns.
 * For one thread.
 */
final class DeferredPoints {
  private static final int FIRST_CAPACITY = 64;

  private @Nullable Series[] series = new Series[FIRST_CAPACITY];
  private EncodedPoints.@Nullable Waiting[] waiting = new EncodedPoints.Waiting[FIRST_CAPACITY];
  private long[] timestamps = new long[FIRST_CAPACITY];
  private long[] raws = new long[FIRST_CAPACITY];
  private byte[] flags = new byte[FIRST_CAPACITY];
  private long[] tokens = new long[FIRST_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /**
   * @param of null if the series is not known
   * @param in null if the series is known and the point is valid
   */
  void add(
      @Nullable Series of,
      EncodedPoints.@Nullable Waiting in,
      long timestamp,
      int valueFlags,
      long raw,
      long token) {
    if (size == tokens.length) {
      grow();
    }
    series[size] = of;
    waiting[size] = in;
    timestamps[size] = timestamp;
    raws[size] = raw;
    flags[size] = (byte) valueFlags;
    tokens[size] = token;
    size++;
  }

  private void grow() {
    int more = size * 2;
    series = Arrays.copyOf(series, more);
    waiting = Arrays.copyOf(waiting, more);
    timestamps = Arrays.copyOf(timestamps, more);
    raws = Arrays.copyOf(raws, more);
    flags = Arrays.copyOf(flags, more);
    tokens = Arrays.copyOf(tokens, more);
  }

  @Nullable Series series(int i) {
    return series[i];
  }

  EncodedPoints.@Nullable Waiting waiting(int i) {
    return waiting[i];
  }

  long timestamp(int i) {
    return timestamps[i];
  }

  long token(int i) {
    return tokens[i];
  }

  PointValue value(int i) {
    return new PointValue(flags[i], raws[i]);
  }

  boolean isValid(int i, PointCheck check) {
    return check.passes(timestamps[i]) && PointValue.isFinite(flags[i], raws[i]);
  }

  void addTo(GatheredPoints gathered, Series of, int i) {
    gathered.add(of, timestamps[i], flags[i], raws[i], tokens[i]);
  }

  void clear() {
    Arrays.fill(series, 0, size, null);
    Arrays.fill(waiting, 0, size, null);
    size = 0;
  }
}
