package org.hourstone.query;

import org.hourstone.codec.RowPoints;

/** What happens to the points of one series before they meet those of others. */
interface SeriesStage {
  /** Takes the points of the series' next row. */
  void accept(long baseMillis, RowPoints points);

  /** Ends the series and answers what came of it. */
  PointColumn finish();

  /** The stage a query asks for. */
  static SeriesStage of(Query query) {
    Downsample downsample = query.downsample();
    return downsample == null
        ? new RawStage()
        : new DownsampleStage(downsample, query.startMillis(), query.endMillis());
  }
}
