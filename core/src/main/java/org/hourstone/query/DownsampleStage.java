package org.hourstone.query;

import org.hourstone.codec.RowPoints;

/** Makes one double of the points of each bucket. */
final class DownsampleStage implements SeriesStage {
  private final DownsampleStep downsampling;
  private final PointColumn in = new PointColumn();
  private final PointColumn out = new PointColumn();
  private final Downsample downsample;
  private final ScanRange scan;

  DownsampleStage(Downsample downsample, long startMillis, long endMillis) {
    this.downsample = downsample;
    this.scan = ScanRange.of(startMillis, endMillis, downsample);
    this.downsampling =
        new DownsampleStep(downsample, startMillis, endMillis, scan.startSeconds() * 1000);
  }

  @Override
  public void accept(long baseMillis, RowPoints points) {
    in.clear();
    in.addRow(baseMillis, points);
    downsampling.accept(in, out);
  }

  @Override
  public PointColumn finish() {
    downsampling.finish(out);
    if (downsample.isAll() || downsample.fill() == FillPolicy.NONE) {
      return out;
    }
    FillStep filling =
        new FillStep(downsample, scan.startSeconds() * 1000, scan.stopSeconds() * 1000);
    PointColumn filled = new PointColumn();
    filling.accept(out, filled);
    filling.finish(filled);
    return filled;
  }
}
