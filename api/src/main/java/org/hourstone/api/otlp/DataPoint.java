package org.hourstone.api.otlp;

import java.util.concurrent.TimeUnit;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.histogram.SimpleHistogram;

/**
 * The data point that is being read, whatever its kind: its series, its time, and where its values
 * go. For one thread.
 */
final class DataPoint {
  private static final byte[] NO_MORE = {};
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final DoorPoints points;
  private final SeriesKeys keys;
  private final Skipped skipped;
  private final BoundTag bound = new BoundTag("le");
  private final BoundTag quantile = new BoundTag("quantile");
  private final BucketCounts buckets = new BucketCounts();
  private boolean isDelta;
  private long nanos;
  private long flags;

  DataPoint(DoorPoints points, Skipped skipped) {
    this.points = points;
    this.keys = new SeriesKeys(points);
    this.skipped = skipped;
  }

  /** As {@link SeriesKeys#metric}. */
  void metric(byte[] body, int name, int nameEnd, ByteBuilder tags) {
    keys.metric(body, name, nameEnd, tags);
  }

  /** Whether the data points of the metric count what has come since the one before. */
  void areDeltas(boolean deltas) {
    isDelta = deltas;
  }

  /** Begins one. */
  void begin() {
    points.beginItem();
    keys.point();
    nanos = 0;
    flags = 0;
  }

  void attribute(byte[] body, ProtoReader field) throws UnreadableException {
    keys.attribute(body, field.from(), field.to());
  }

  void time(ProtoReader field) throws UnreadableException {
    nanos = field.fixed();
  }

  void flags(ProtoReader field) throws UnreadableException {
    flags = field.number();
  }

  void startTime(ProtoReader field) throws UnreadableException {
    if (field.fixed() != 0) {
      skipped.add(Skipped.Kind.START_TIME, 1);
    }
  }

  void exemplar() {
    skipped.add(Skipped.Kind.EXEMPLAR, 1);
  }

  /** Whether it has a value and a time, once it is read; else there is nothing to add. */
  boolean isStorable() {
    if ((flags & Otlp.NO_RECORDED_VALUE) != 0) {
      skipped.add(Skipped.Kind.NO_RECORDED_VALUE, 1);
      return false;
    }
    if (nanos == 0) {
      refuse("the data point has no time (time_unix_nano)");
      return false;
    }
    return true;
  }

  private long millis() {
    return Long.divideUnsigned(nanos, NANOS);
  }

  /** Refuses all of it. */
  void refuse(String why) {
    String unused = keys.select(Part.VALUE, NO_MORE);
    points.refuse(millis(), why);
  }

  void add(Part part, double value) {
    if (isSelected(part, NO_MORE)) {
      points.add(millis(), value);
    }
  }

  void add(Part part, long value) {
    if (isSelected(part, NO_MORE)) {
      points.add(millis(), value);
    }
  }

  /** Adds a count, which may have 64 bits. */
  void addCount(Part part, long unsigned) {
    if (isSelected(part, NO_MORE)) {
      addCount(unsigned);
    }
  }

  /** Says how many values are not above a bound; {@link #addBuckets} must follow. */
  void bucket(double upperBound, long unsigned) {
    buckets.add(upperBound, unsigned);
  }

  /** The buckets so far are in descending order. */
  void reverseBuckets() {
    buckets.reverse();
  }

  /**
   * Adds the buckets: as a histogram point if it is exactly the same, and as a series for each
   * bound otherwise. Histogram points are added over time, as only deltas may be.
   */
  void addBuckets() {
    SimpleHistogram histogram = isDelta && points.takesHistograms() ? buckets.exactly() : null;
    if (histogram == null) {
      for (int i = 0; i < buckets.size(); i++) {
        if (isSelected(Part.BUCKET, bound.of(buckets.bound(i)))) {
          addCount(buckets.count(i));
        }
      }
    } else if (isSelected(Part.VALUE, NO_MORE)) {
      points.add(millis(), histogram);
    }
    buckets.clear();
  }

  void addQuantile(double of, double value) {
    if (isSelected(Part.VALUE, quantile.of(of))) {
      points.add(millis(), value);
    }
  }

  private void addCount(long unsigned) {
    if (unsigned >= 0) {
      points.add(millis(), unsigned);
    } else {
      points.add(millis(), 2.0 * (unsigned >>> 1));
    }
  }

  private boolean isSelected(Part part, byte[] more) {
    String fault = keys.select(part, more);
    if (!fault.isEmpty()) {
      points.refuse(millis(), fault);
    }
    return fault.isEmpty();
  }
}
