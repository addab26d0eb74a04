package org.hourstone.index;

/**
 * How the index is used.
 *
 * @param on whether the index is maintained and used. If not, an existing index is marked
 *     incomplete before anything is written
 * @param memoryBytes the approximate maximum of memory it uses; at least 1
 * @param maxSeries the maximum number of series; {@link Long#MAX_VALUE} for no limit
 * @param maxSeriesPerMetric the same of each metric; none unless the index is on, as for all
 */
public record IndexOptions(
    boolean on, long memoryBytes, long maxSeries, MetricLimits maxSeriesPerMetric) {
  public IndexOptions {
    if (memoryBytes < 1) {
      throw new IllegalArgumentException("a series index of " + memoryBytes + " bytes");
    }
    if (!on && (maxSeries < Long.MAX_VALUE || !maxSeriesPerMetric.isEmpty())) {
      throw new IllegalArgumentException(
          "the number of series is limited (hourstone.index.max_series,"
              + " hourstone.index.max_series_per_metric), which needs the series index, but that is"
              + " off (hourstone.index.enable)");
    }
  }
}
