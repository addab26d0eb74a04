package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * Valid points of resolved series, in columns by the thread that writes them, until they are sent
 * together. For one thread.
 */
final class GatheredPoints {
  private static final int FIRST_CAPACITY = 64;

  /** A share may be larger than the mean by this part of all points before it has to grow. */
  private static final int SPREAD = 8;

  private final PointIntake writer;

  /** By the thread that writes the series; null until one has a point. They are handed over. */
  private final @Nullable PointColumns[] shares;

  private int size;
  private int capacity = FIRST_CAPACITY;

  GatheredPoints(PointIntake writer) {
    this.writer = writer;
    this.shares = new PointColumns[writer.shares()];
  }

  @Nullable PointColumns[] shares() {
    return shares;
  }

  /** The number of points added since the last {@link #send}. */
  int size() {
    return size;
  }

  /** As {@link TextPoints#expect}. */
  void expect(int points) {
    capacity = points / shares.length + points / SPREAD + 1;
  }

  /**
   * @param flags as in {@link org.hourstone.codec.Value}
   * @param raw as there
   */
  void add(Series of, long timestamp, int flags, long raw, long token) {
    int share = writer.share(of);
    PointColumns points = shares[share];
    if (points == null) {
      points = new PointColumns(capacity);
      shares[share] = points;
    }
    points.add(of, timestamp, flags, raw, token);
    size++;
  }

  /** As {@link TextPoints#send}. */
  void send(Receipt receipt) {
    if (size > 0) {
      expect(size);
    }
    size = 0;
    for (int i = 0; i < shares.length; i++) {
      PointColumns points = shares[i];
      if (points != null) {
        shares[i] = null;
        writer.take(points, i, receipt);
      }
    }
  }
}
