package org.hourstone.query;

import java.util.Arrays;
import org.hourstone.codec.RowPoints;

/**
 * Makes one double of the points of each bucket. Buckets without points don't appear.
 *
 * <p>The points of a bucket are gathered before they are aggregated, so that every aggregator sees
 * them in the order of time.
 */
final class DownsampleStage implements SeriesStage {
  private final Downsample downsample;
  private final long startMillis;
  private final long endMillis;
  private final long firstBucket;
  private final PointColumn column = new PointColumn();
  private double[] gathered = new double[64];
  private int count;
  private long bucket;

  /**
   * @param scanMillis where reading starts: a bucket that has begun before is left out
   */
  DownsampleStage(Downsample downsample, long startMillis, long endMillis, long scanMillis) {
    this.downsample = downsample;
    this.startMillis = startMillis;
    this.endMillis = endMillis;
    this.firstBucket =
        downsample.isAll()
            ? startMillis
            : downsample.bucket(scanMillis + downsample.intervalMillis() - 1);
  }

  @Override
  public void accept(long baseMillis, RowPoints points) {
    for (int i = 0; i < points.size(); i++) {
      long millis = baseMillis + points.offset(i);
      if (downsample.isAll()) {
        if (millis < startMillis || millis >= endMillis) {
          continue;
        }
        bucket = startMillis;
      } else if (millis < firstBucket) {
        continue;
      } else if (count == 0) {
        bucket = downsample.bucket(millis);
      } else if (millis >= bucket + downsample.intervalMillis()) {
        emit();
        bucket = downsample.bucket(millis);
      }
      gather(points.toDouble(i));
    }
  }

  private void gather(double value) {
    if (count == gathered.length) {
      gathered = Arrays.copyOf(gathered, count * 2);
    }
    gathered[count++] = value;
  }

  private void emit() {
    if (count > 0) {
      column.addDouble(bucket, downsample.aggregator().ofDoubles(gathered, count));
      count = 0;
    }
  }

  @Override
  public PointColumn finish() {
    emit();
    return column;
  }
}
