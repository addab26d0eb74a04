package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.Histogram;
import org.hourstone.query.HistogramView;
import org.hourstone.series.PointColumn;

/**
 * One of the result series computed from a group's histograms.
 *
 * @param suffix of its name, after the metric's
 */
record HistogramSeries(String suffix, PointColumn points) {
  /** The percentiles, then the buckets: those of the first histogram, which others may lack. */
  static List<HistogramSeries> of(SortedMap<Long, Histogram> histograms, HistogramView view) {
    List<HistogramSeries> all = new ArrayList<>();
    for (double percentile : view.percentiles()) {
      all.add(ofDoubles(histograms, "_pct_" + percentile, each -> each.percentile(percentile)));
    }
    if (view.buckets() && !histograms.isEmpty()) {
      Histogram first = histograms.values().iterator().next();
      all.add(ofLongs(histograms, "_UNDERFLOW", Histogram::underflow));
      for (Bucket bucket : first.buckets().keySet()) {
        String suffix = "_" + bucket.lower() + "_" + bucket.upper();
        all.add(ofLongs(histograms, suffix, each -> each.buckets().getOrDefault(bucket, 0L)));
      }
      all.add(ofLongs(histograms, "_OVERFLOW", Histogram::overflow));
    }
    return all;
  }

  private static HistogramSeries ofDoubles(
      SortedMap<Long, Histogram> histograms, String suffix, ToDoubleFunction<Histogram> value) {
    PointColumn points = new PointColumn();
    for (Map.Entry<Long, Histogram> each : histograms.entrySet()) {
      points.addDouble(each.getKey(), value.applyAsDouble(each.getValue()));
    }
    return new HistogramSeries(suffix, points);
  }

  private static HistogramSeries ofLongs(
      SortedMap<Long, Histogram> histograms, String suffix, ToLongFunction<Histogram> value) {
    PointColumn points = new PointColumn();
    for (Map.Entry<Long, Histogram> each : histograms.entrySet()) {
      points.addLong(each.getKey(), value.applyAsLong(each.getValue()));
    }
    return new HistogramSeries(suffix, points);
  }
}
