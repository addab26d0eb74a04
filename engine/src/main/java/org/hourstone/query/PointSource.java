package org.hourstone.query;

import org.jspecify.annotations.Nullable;

/**
 * The source of a query's values.
 *
 * @param rollups whether rolled-up values replace points
 * @param preAggregate whether pre-aggregates are read: values that were aggregated over series
 *     before they were stored
 * @param histograms which series are computed from histograms, or null to read points
 * @param annotations whether the annotations in the rows read are returned
 */
public record PointSource(
    RollupUsage rollups,
    boolean preAggregate,
    @Nullable HistogramView histograms,
    boolean annotations) {
  /** Points, or rolled-up values where the settings have an interval for the downsampling. */
  public static final PointSource DEFAULT =
      new PointSource(RollupUsage.NOFALLBACK, false, null, false);

  /** Sets whether rolled-up values replace points. */
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

  /** Returns annotations, too. */
  public PointSource withAnnotations() {
    return new PointSource(rollups, preAggregate, histograms, true);
  }
}
