package org.hourstone.api;

import java.util.List;
import org.hourstone.query.TagFilter;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * One query of a request, as given; unspecified fields are empty or null.
 *
 * @param rate whether the rate is requested
 * @param rateOptions its options, if specified
 * @param percentiles of histograms, or null
 * @param useFuzzyFilter repeated in the response, without effect
 * @param useMultiGets likewise
 */
record SubQuery(
    String aggregator,
    String metric,
    List<String> tsuids,
    @Nullable String downsample,
    boolean rate,
    @Nullable RateOptions rateOptions,
    List<TagFilter> filters,
    boolean explicitTags,
    @Nullable List<Double> percentiles,
    boolean histogramBuckets,
    boolean preAggregate,
    @Nullable String rollupUsage,
    boolean useFuzzyFilter,
    boolean useMultiGets) {

  boolean isOfHistograms() {
    return percentiles != null || histogramBuckets;
  }

  /** A builder of queries. */
  static final class Draft {
    String aggregator = "";
    String metric = "";
    List<String> tsuids = List.of();
    @Nullable String downsample;
    boolean rate;
    @Nullable RateOptions rateOptions;
    List<TagFilter> filters = List.of();
    boolean explicitTags;
    @Nullable List<Double> percentiles;
    boolean histogramBuckets;
    boolean preAggregate;
    @Nullable String rollupUsage;
    boolean useFuzzyFilter = true;
    boolean useMultiGets = true;

    SubQuery finished() {
      return new SubQuery(
          aggregator,
          metric,
          tsuids,
          downsample,
          rate,
          rateOptions,
          filters,
          explicitTags,
          percentiles,
          histogramBuckets,
          preAggregate,
          rollupUsage,
          useFuzzyFilter,
          useMultiGets);
    }
  }
}
