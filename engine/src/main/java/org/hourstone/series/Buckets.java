package org.hourstone.series;

/**
 * Iterates over the buckets of downsampling. In strict mode the first bucket of a calendar that is
 * requested determines where the others begin. For one thread.
 */
public abstract class Buckets {
  private long start = Long.MIN_VALUE;
  private long end = Long.MIN_VALUE;

  /**
   * The buckets by which a series is downsampled; not valid for a single bucket over the whole
   * range.
   */
  public static Buckets of(Downsample downsample) {
    if (!downsample.calendar()) {
      return new FixedBuckets(downsample.intervalMillis());
    }
    return downsample.countsFromFirstPoint()
        ? new FirstPointBuckets(downsample)
        : new CalendarBuckets(downsample);
  }

  /** The start of the current bucket. */
  public final long start() {
    return start;
  }

  /**
   * The end of the current bucket, exclusive; if there is no bucket yet, a timestamp before all
   * points.
   */
  public final long end() {
    return end;
  }

  final void set(long newStart, long newEnd) {
    start = newStart;
    end = newEnd;
  }

  /** Moves to the bucket of a timestamp that is not before the current bucket. */
  public final void moveTo(long millis) {
    if (millis >= end) {
      leaveFor(millis);
    }
  }

  /** Sets the bucket of a timestamp that is after the current bucket. */
  abstract void leaveFor(long millis);

  /** Moves to the next bucket. */
  final void next() {
    moveTo(end);
  }

  /** The earliest bucket start at or after a timestamp; the end of that bucket is not known. */
  public static long firstStart(Downsample downsample, long millis) {
    Buckets buckets = of(downsample);
    buckets.moveTo(millis);
    return buckets.start == millis ? millis : buckets.end;
  }

  /** The start of the bucket that contains a timestamp. */
  public static long start(Downsample downsample, long millis) {
    Buckets buckets = of(downsample);
    buckets.moveTo(millis);
    return buckets.start;
  }

  /** The end of the bucket that contains a timestamp, exclusive. */
  public static long end(Downsample downsample, long millis) {
    Buckets buckets = of(downsample);
    buckets.moveTo(millis);
    return buckets.end;
  }

  /**
   * The timestamp before which no series, including one not found yet, gets another bucket, when
   * all points before {@code untilMillis} have been added and the steps {@linkplain
   * ColumnStep#settle know} it.
   *
   * @param startMillis of the range
   * @param endMillis of the range
   */
  public static long settledBefore(
      Downsample downsample, long untilMillis, long startMillis, long endMillis) {
    if (downsample.isAll()) {
      return untilMillis < endMillis ? startMillis : untilMillis;
    }
    if (downsample.calendar() && downsample.countsFromFirstPoint()) {
      // A month of 31 days is longer than nominal, and a zone may be set back by a day.
      return untilMillis
          - downsample.intervalMillis()
          - downsample.intervalMillis() / 30
          - 2 * DurationUnit.DAYS.millis();
    }
    return start(downsample, untilMillis);
  }
}
