package org.hourstone.write;

import java.util.Map;

/**
 * Writes points of one series, its names resolved once. {@link SeriesPoints} gathers many points of
 * such handles, which costs less. Thread-safe. When a name is renamed or deleted here, it is
 * resolved again with the next point; when another process does so, as soon as this process detects
 * it ({@link org.hourstone.uid.UidTable}).
 */
public final class SeriesWriter {
  private final PointIntake writer;
  private final String metric;
  private final Map<String, String> tags;
  private volatile Series series;

  SeriesWriter(PointIntake writer, String metric, Map<String, String> tags, Series series) {
    this.writer = writer;
    this.metric = metric;
    this.tags = tags;
    this.series = series;
  }

  /** As {@link PointWriter#put(String, Map, long, long, Receipt, long)}. */
  public void put(long timestamp, long value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  /** As {@link PointWriter#put(String, Map, long, float, Receipt, long)}. */
  public void put(long timestamp, float value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  /** As {@link PointWriter#put(String, Map, long, double, Receipt, long)}. */
  public void put(long timestamp, double value, Receipt receipt, long token) {
    put(timestamp, PointValue.of(value), receipt, token);
  }

  void put(long timestamp, PointValue value, Receipt receipt, long token) {
    writer.check(metric, tags, timestamp, value);
    writer.take(series(), timestamp, value, receipt, token);
  }

  public String metric() {
    return metric;
  }

  public Map<String, String> tags() {
    return tags;
  }

  /** The series' TSUID: its metric's UID and those of its tags. */
  public byte[] tsuid() {
    return series().tsuid().clone();
  }

  /** Throws as {@link PointWriter#series} does, if a name was deleted. */
  Series series() {
    Series known = series;
    if (!writer.isCurrent(known)) {
      known = writer.resolve(metric, tags);
      series = known;
    }
    return known;
  }

  boolean isOf(PointIntake other) {
    return writer == other;
  }
}
