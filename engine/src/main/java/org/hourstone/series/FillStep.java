package org.hourstone.series;

/**
 * Adds the fill policy's value where a series has no point in a bucket. The filled buckets are
 * those within the hours that are read; a bucket that begins before or ends after these hours is
 * not filled.
 */
public final class FillStep implements ColumnStep {
  private static final int MANY = 1_000;

  /**
   * A column can't hold many times this number. If memory has no limit, further values are added
   * one by one.
   */
  private static final int MOST_AT_ONCE = 100_000_000;

  private final FillPolicy policy;
  private final Buckets buckets;
  private final long nominalMillis;
  private final long stopMillis;

  /**
   * @param downsample how the points were downsampled: neither into one bucket nor without a fill
   *     policy
   * @param scanMillis the start of the first hour that is read
   * @param scanStopMillis the end of the last one, exclusive
   */
  public FillStep(Downsample downsample, long scanMillis, long scanStopMillis) {
    this.policy = downsample.fill();
    this.buckets = Buckets.of(downsample);
    this.nominalMillis = downsample.intervalMillis();
    this.stopMillis = Buckets.start(downsample, scanStopMillis);
    buckets.moveTo(scanMillis);
    if (buckets.start() < scanMillis) {
      buckets.next(); // the bucket's first points are not read
    }
  }

  @Override
  public void accept(PointColumn in, PointColumn out) {
    if (in.size() > 0) {
      reserve(Math.min(in.millis(in.size() - 1), stopMillis), out);
    }
    for (int i = 0; i < in.size() && in.millis(i) < stopMillis; i++) {
      fillTo(in.millis(i), out);
      if (buckets.start() == in.millis(i)) { // else the series counts its buckets differently
        out.addDouble(in.millis(i), in.doubleValue(i));
        buckets.next();
      }
    }
  }

  /** Fills the buckets that begin before a timestamp. */
  private void fillTo(long millis, PointColumn out) {
    while (buckets.start() < millis) {
      out.addDouble(buckets.start(), policy.value());
      buckets.next();
    }
  }

  /** Reserves memory for all buckets, so that too many are refused before any is filled. */
  private void reserve(long untilMillis, PointColumn out) {
    long count = (untilMillis - buckets.start()) / nominalMillis;
    if (count > MANY) {
      out.reserve((int) Math.min(count, MOST_AT_ONCE));
    }
  }

  @Override
  public boolean settle(long untilMillis, PointColumn out) {
    reserve(Math.min(untilMillis, stopMillis), out);
    while (buckets.end() <= untilMillis && buckets.start() < stopMillis) {
      out.addDouble(buckets.start(), policy.value());
      buckets.next();
    }
    return buckets.start() < stopMillis;
  }

  @Override
  public void finish(PointColumn out) {
    reserve(stopMillis, out);
    fillTo(stopMillis, out);
  }
}
