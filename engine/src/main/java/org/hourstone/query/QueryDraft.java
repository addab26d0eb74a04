package org.hourstone.query;

import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * A query as requested, in text or in JSON: read but not yet checked, and without a range. {@link
 * #query} checks it. Fields that the request doesn't contain are empty or null.
 *
 * @param aggregator its name
 * @param metric empty if series are selected by TSUID
 * @param tsuids in hex
 * @param filters on the metric's series
 * @param explicitTags whether series with tags that no filter names are excluded
 * @param downsample a specifier such as {@code 5m-avg}
 * @param rate whether the rate is requested
 * @param rateOptions its options
 * @param percentiles of histograms
 * @param histogramBuckets whether the buckets of histograms are requested
 * @param preAggregate whether values that were aggregated before they were stored are read
 * @param rollupUsage whether rolled-up values replace points
 * @param useFuzzyFilter repeated in the response, without effect
 * @param useMultiGets likewise
 */
public record QueryDraft(
    String aggregator,
    String metric,
    List<String> tsuids,
    List<TagFilter> filters,
    boolean explicitTags,
    @Nullable String downsample,
    boolean rate,
    @Nullable RateOptions rateOptions,
    @Nullable List<Double> percentiles,
    boolean histogramBuckets,
    boolean preAggregate,
    @Nullable RollupUsage rollupUsage,
    boolean useFuzzyFilter,
    boolean useMultiGets) {

  public QueryDraft {
    tsuids = List.copyOf(tsuids);
    filters = List.copyOf(filters);
    percentiles = percentiles == null ? null : List.copyOf(percentiles);
  }

  /**
   * Reads OpenTSDB's {@code m=} form, as {@link Query#parse(String)}.
   *
   * @throws MalformedFiltersException if the metric's filters are malformed
   * @throws RequestException if anything else is malformed; the message says how
   */
  public static QueryDraft ofMetric(String text, QueryDialect dialect) {
    return new QueryText("m", text, dialect).ofMetric();
  }

  /**
   * Reads OpenTSDB's {@code tsuid=} form, {@code sum:5m-avg:000001000001000001,…}.
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public static QueryDraft ofTsuids(String text, QueryDialect dialect) {
    return new QueryText("tsuid", text, dialect).ofTsuids();
  }

  /** A query as it would be requested; its range, time zone and annotations are lost. */
  public static QueryDraft of(Query query) {
    Downsample downsample = query.downsample();
    PointSource source = query.source();
    HistogramView view = source.histograms();
    return new QueryDraft(
        query.aggregator().requestName(),
        query.metric(),
        query.series().tsuids(),
        query.filters(),
        query.explicitTags(),
        downsample == null ? null : downsample.text(),
        query.rate() != null,
        query.rate(),
        view == null || view.percentiles().isEmpty() ? null : view.percentiles(),
        view != null && view.buckets(),
        source.preAggregate(),
        source.rollups() == PointSource.DEFAULT.rollups() ? null : source.rollups(),
        true,
        true);
  }

  /** Whether histograms are requested instead of points. */
  public boolean isOfHistograms() {
    return percentiles != null || histogramBuckets;
  }

  /**
   * The query, over all time.
   *
   * @throws RequestException if a field is missing or wrong; the message says which
   */
  public Query query(QueryDialect dialect) {
    if (aggregator.isEmpty()) {
      throw new RequestException("Missing the aggregation function");
    }
    Aggregator by = Aggregator.parse(aggregator);
    if (tsuids.isEmpty() && metric.isEmpty()) {
      throw new RequestException("Missing the metric or tsuids, provide at least one");
    }
    Downsample downsampling =
        downsample == null || downsample.isEmpty()
            ? null
            : Downsample.parse(downsample, dialect.durations());
    SeriesSelection series =
        tsuids.isEmpty()
            ? new SeriesSelection(metric, filters, explicitTags, List.of())
            : new SeriesSelection("", List.of(), false, tsuids);
    RateOptions options = rateOptions == null ? RateOptions.DEFAULT : rateOptions;
    return new Query(series, 0, Long.MAX_VALUE, by, downsampling, rate ? options : null, source());
  }

  private PointSource source() {
    return new PointSource(
        rollupUsage == null ? PointSource.DEFAULT.rollups() : rollupUsage,
        preAggregate,
        isOfHistograms()
            ? new HistogramView(percentiles == null ? List.of() : percentiles, histogramBuckets)
            : null,
        false);
  }

  /** The query in OpenTSDB's form, from which {@link #ofMetric} or {@link #ofTsuids} reads it. */
  @Override
  public String toString() {
    return QueryText.of(this);
  }
}
