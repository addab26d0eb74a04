package org.hourstone.query.rows;

import java.util.List;
import org.hourstone.histogram.HistogramPoint;
import org.hourstone.histogram.HistogramRowDecoder;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.query.Query;
import org.hourstone.series.Buckets;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/** The histograms in rows of the data table; those of one downsampling bucket are added. */
public final class HistogramRowValues implements RowValues {
  private final HistogramRowDecoder decoder;
  private final @Nullable Downsample downsample;
  private final long startMillis;
  private final long endMillis;
  private final CorruptionPolicy corruption;

  /**
   * @param query whose downsampling is done here
   */
  public HistogramRowValues(HistogramRowDecoder decoder, Query query, CorruptionPolicy corruption) {
    this.decoder = decoder;
    this.downsample = query.downsample();
    this.startMillis = query.startMillis();
    this.endMillis = query.endMillis();
    this.corruption = corruption;
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, List<SeriesChunk> into) {
    int count = 0;
    for (Row row : rows) {
      List<HistogramPoint> points =
          decoder.decode(row, (qualifier, e) -> corruption.cell(row.key(), qualifier, e));
      for (HistogramPoint point : points) {
        long millis = baseMillis + point.offsetMillis();
        if (downsample == null) {
          add(millis, point, into);
        } else if (!downsample.isAll()) {
          add(Buckets.start(downsample, millis), point, into);
        } else if (millis >= startMillis && millis < endMillis) {
          add(startMillis, point, into);
        }
      }
      count += points.size();
    }
    return count;
  }

  private static void add(long millis, HistogramPoint point, List<SeriesChunk> into) {
    into.forEach(chunk -> chunk.histograms.add(millis, point.histogram()));
  }
}
