package org.hourstone.series;

/**
 * The buckets of downsampling, one after the other. The first one requested may determine where the
 * others begin. For one thread.
 */
public abstract class Buckets {
  private long start = Long.MIN_VALUE;
  private long end = Long.MIN_VALUE;

  /** The buckets a series is downsampled by, unless it is all to one bucket. */
  public static Buckets of(Downsample downsample) {
    return downsample.calendar()
        ? new CalendarBuckets(downsample)
        : new FixedBuckets(downsample.intervalMillis());
  }

  /** The start of the current bucket. */
  public final long start() {
    return start;
  }

  /** The end of the current bucket, exclusive; before the first, a timestamp before all points. */
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

  /** Goes on by one bucket. */
  final void next() {
    moveTo(end);
  }

  /** The first start of a bucket that is not before a timestamp; that bucket's end is unknown. */
  public static long firstStart(Downsample downsample, long millis) {
    Buckets buckets = of(downsample);
    buckets.moveTo(millis);
    return buckets.start == millis ? millis : buckets.end;
  }

  /** The start of the bucket of a timestamp. */
  public static long start(Downsample downsample, long millis) {
    Buckets buckets = of(downsample);
    buckets.moveTo(millis);
    return buckets.start;
  }
}
