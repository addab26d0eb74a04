package org.hourstone.query;

import org.jspecify.annotations.Nullable;

/**
 * Where a query takes its values from.
 *
 * @param rollups whether rolled-up values stand in for points
 * @param preAggregate whether values that were aggregated over series before they were stored are
 *     read
 * @param histograms what is asked of histograms, or null to read points
 * @param annotations whether notes in the rows that are read come along
 */
public record PointSource(
    RollupUsage rollups,
    boolean preAggregate,
    @Nullable HistogramView histograms,
    boolean annotations) {
  /** Points, or rolled-up values where the settings have an interval for the downsampling. */
  public static final PointSource DEFAULT =
      new PointSource(RollupUsage.NOFALLBACK, false, null, false);

  /** Sets whether rolled-up values stand in for points. */
  public PointSource withRollups(RollupUsage usage) {
    return new PointSource(usage, preAggregate, histograms, annotations);
  }

  /** Reads values that were aggregated over series before they were stored. */
  public PointSource withPreAggregates() {
    return new PointSource(rollups, true, histograms, annotations);
  }

  /** Reads histograms; null for points. */
  public PointSource withHistograms(@Nullable HistogramView view) {
    return new PointSource(rollups, preAggregate, view, annotations);
  }

  /** Brings notes along. */
  public PointSource withAnnotations() {
    return new PointSource(rollups, preAggregate, histograms, true);
  }
}
