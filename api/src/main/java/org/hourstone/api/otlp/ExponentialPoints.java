package org.hourstone.api.otlp;

import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/**
 * Data points of exponential histograms, as those of histograms with explicit bounds. A larger
 * scale than {@value #MOST_SCALE} is brought down to it, by which buckets are joined: so there are
 * few series, and they stay the same while the scale of the sender changes.
 */
final class ExponentialPoints implements PointKind {
  /** That of four buckets for each doubling. */
  static final int MOST_SCALE = 2;

  private static final int ATTRIBUTE = 1;
  private static final int START = 2;
  private static final int TIME = 3;
  private static final int COUNT = 4;
  private static final int SUM = 5;
  private static final int SCALE = 6;
  private static final int ZEROS = 7;
  private static final int POSITIVE = 8;
  private static final int NEGATIVE = 9;
  private static final int FLAGS = 10;
  private static final int EXEMPLAR = 11;
  private static final int MIN = 12;
  private static final int MAX = 13;
  private static final int THRESHOLD = 14;

  private static final int LONG_BITS = 62;
  private static final int MOST_EXPONENT = 2000;

  private final ProtoReader fields = new ProtoReader();
  private final Totals totals = new Totals();
  private final Buckets positive = new Buckets();
  private final Buckets negative = new Buckets();
  private final CountSum all = new CountSum();
  private long scale;

  /** Buckets of one sign: counts of a row of indexes. */
  private static final class Buckets {
    private static final int OFFSET = 1;
    private static final int COUNTS = 2;

    final ByteBuilder counts = new ByteBuilder();
    final ProtoReader next = new ProtoReader();
    long offset;

    void clear() {
      offset = 0;
      counts.clear();
    }

    void read(byte[] body, ProtoReader message) throws UnreadableException {
      int from = message.from();
      next.of(body, from, message.to());
      while (next.next()) {
        switch (next.field()) {
          case OFFSET -> offset = next.signed();
          case COUNTS -> counts.addPacked(next, false);
          default -> {} // of a later version
        }
      }
    }

    void rewind() {
      next.of(counts.bytes(), 0, counts.length());
    }

    void addTo(CountSum sum) throws UnreadableException {
      rewind();
      while (next.hasMore()) {
        sum.add(next.varint());
      }
    }
  }

  @Override
  public void read(byte[] body, int from, int to, DataPoint point) throws UnreadableException {
    totals.clear();
    positive.clear();
    negative.clear();
    scale = 0;
    long zeros = 0;
    double threshold = 0;
    fields.of(body, from, to);
    while (fields.next()) {
      switch (fields.field()) {
        case ATTRIBUTE -> point.attribute(body, fields);
        case START -> point.startTime(fields);
        case TIME -> point.time(fields);
        case FLAGS -> point.flags(fields);
        case EXEMPLAR -> point.exemplar();
        case COUNT -> totals.count = fields.fixed();
        case SUM -> totals.sum(fields.decimal());
        case MIN -> totals.min(fields.decimal());
        case MAX -> totals.max(fields.decimal());
        case SCALE -> scale = fields.signed();
        case ZEROS -> zeros = fields.fixed();
        case THRESHOLD -> threshold = fields.decimal();
        case POSITIVE -> positive.read(body, fields);
        case NEGATIVE -> negative.read(body, fields);
        default -> {} // of a later version
      }
    }
    all.clear(); // all counts are read before any is added to the point
    negative.addTo(all);
    long below = all.sum();
    all.add(zeros);
    positive.addTo(all);
    if (!point.isStorable()) {
      return;
    }
    if (all.isTooMany()) {
      point.refuse(CountSum.TOO_MANY);
      return;
    }
    if (!(threshold >= 0) || Double.isInfinite(threshold)) {
      point.refuse("the zero threshold of the histogram is " + threshold);
      return;
    }
    totals.addTo(point);
    addNegative(below, threshold, point);
    point.bucket(threshold, below + zeros);
    addPositive(below + zeros, threshold, point);
    point.bucket(Double.POSITIVE_INFINITY, all.sum());
    point.addBuckets();
  }

  /** Bounds below zero: those of the first index are the closest to it. */
  private void addNegative(long all, double threshold, DataPoint point) throws UnreadableException {
    Buckets buckets = negative;
    buckets.rewind();
    long before = 0;
    long index = buckets.offset;
    while (buckets.next.hasMore()) {
      long bucket = joined(index);
      double lower = bound(bucket);
      if (lower > threshold && Double.isFinite(lower)) {
        point.bucket(-lower, all - before);
      }
      while (buckets.next.hasMore() && joined(index) == bucket) {
        before += buckets.next.varint();
        index++;
      }
    }
    point.reverseBuckets();
  }

  private void addPositive(long below, double threshold, DataPoint point)
      throws UnreadableException {
    Buckets buckets = positive;
    buckets.rewind();
    long count = below;
    long index = buckets.offset;
    if (buckets.next.hasMore()) {
      addBound(bound(joined(index)), count, threshold, point);
    }
    while (buckets.next.hasMore()) {
      long bucket = joined(index);
      while (buckets.next.hasMore() && joined(index) == bucket) {
        count += buckets.next.varint();
        index++;
      }
      addBound(bound(bucket + 1), count, threshold, point);
    }
  }

  private static void addBound(double bound, long count, double threshold, DataPoint point) {
    if (bound > threshold && Double.isFinite(bound)) {
      point.bucket(bound, count);
    }
  }

  /** The index of the bucket that has a bucket of the sender, at the scale of the series. */
  private long joined(long index) {
    return scale <= MOST_SCALE ? index : index >> Math.min(scale - MOST_SCALE, LONG_BITS);
  }

  /** The lower bound of a bucket. */
  private double bound(long index) {
    int exponent = (int) Math.min(-Math.min(scale, MOST_SCALE), MOST_EXPONENT);
    return Math.pow(2, Math.scalb((double) index, exponent));
  }
}
