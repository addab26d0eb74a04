package org.hourstone.write;

import org.hourstone.codec.Timestamps;

/**
 * Writes points of one series in time order: a point that is not later than the one before is
 * refused. OpenTSDB's {@code IncomingDataPoints}. Each point is written by itself, as by {@link
 * SeriesWriter}. Not thread-safe.
 */
public final class OrderedSeriesWriter {
  private final PointWriter writer;
  private final SeriesWriter series;
  private long lastMillis = -1;

  OrderedSeriesWriter(PointWriter writer, SeriesWriter series) {
    this.writer = writer;
    this.series = series;
  }

  /**
   * As {@link SeriesWriter#put(long, long, Receipt, long)}.
   *
   * @throws org.hourstone.error.RequestException also if the time is not after the last point's
   */
  public void put(long timestamp, long value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  /** As {@link #put(long, long, Receipt, long)}, for a float, which is stored in 4 bytes. */
  public void put(long timestamp, float value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  /** As {@link #put(long, long, Receipt, long)}, for a double, which is stored in 8 bytes. */
  public void put(long timestamp, double value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  private void put(long timestamp, PointValue value, Receipt receipt, long token) {
    long millis = Timestamps.toMillis(timestamp);
    if (timestamp >= 0 && millis <= lastMillis) {
      throw series.notAfter(lastMillis, timestamp, value);
    }
    writer.putValue(series, timestamp, value, receipt, token);
    lastMillis = millis;
  }
}
