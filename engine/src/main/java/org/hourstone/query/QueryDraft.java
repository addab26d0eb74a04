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
 * @param downsample a specifier such as {@code 5m-avg}
 */
public record QueryDraft(
    String aggregator,
    Series series,
    @Nullable String downsample,
    Rate rate,
    Values values,
    Hints hints) {
  /**
   * The series.
   *
   * @param metric empty if they are selected by TSUID
   * @param tsuids in hex
   * @param filters on the metric's series
   * @param explicitTags whether series with tags that no filter names are excluded
   */
  public record Series(
      String metric, List<String> tsuids, List<TagFilter> filters, boolean explicitTags) {
    public Series {
      tsuids = List.copyOf(tsuids);
      filters = List.copyOf(filters);
    }
  }

  /** Whether the rate is requested, and its options, which may be there without that. */
  public record Rate(boolean isRequested, @Nullable RateOptions options) {}

  /**
   * The stored values.
   *
   * @param percentiles of histograms
   * @param histogramBuckets whether the buckets of histograms are requested
   * @param preAggregate whether values that were aggregated before they were stored are read
   * @param rollupUsage whether rolled-up values replace points
   */
  public record Values(
      @Nullable List<Double> percentiles,
      boolean histogramBuckets,
      boolean preAggregate,
      @Nullable RollupUsage rollupUsage) {
    public Values {
      percentiles = percentiles == null ? null : List.copyOf(percentiles);
    }

    /** Whether histograms are requested instead of points. */
    public boolean isOfHistograms() {
      return percentiles != null || histogramBuckets;
    }

    private PointSource source(QueryDialect dialect) {
      return new PointSource(
          rollupUsage == null ? PointSource.DEFAULT.rollups() : rollupUsage,
          preAggregate,
          isOfHistograms()
              ? new HistogramView(
                  percentiles == null ? List.of() : dialect.order(percentiles), histogramBuckets)
              : null,
          false);
    }
  }

  /** Repeated in the response, without effect. */
  public record Hints(boolean useFuzzyFilter, boolean useMultiGets) {
    static final Hints NONE = new Hints(true, true);
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

  /** The draft of a query, without its range, time zone and annotations. */
  public static QueryDraft of(Query query) {
    Downsample downsample = query.downsample();
    PointSource source = query.source();
    HistogramView view = source.histograms();
    return new QueryDraft(
        query.aggregator().requestName(),
        new Series(query.metric(), query.series().tsuids(), query.filters(), query.explicitTags()),
        downsample == null ? null : downsample.text(),
        new Rate(query.rate() != null, query.rate()),
        new Values(
            view == null || view.percentiles().isEmpty() ? null : view.percentiles(),
            view != null && view.buckets(),
            source.preAggregate(),
            source.rollups() == PointSource.DEFAULT.rollups() ? null : source.rollups()),
        Hints.NONE);
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
    if (series.tsuids.isEmpty() && series.metric.isEmpty()) {
      throw new RequestException("Missing the metric or tsuids, provide at least one");
    }
    Downsample downsampling =
        downsample == null || downsample.isEmpty()
            ? null
            : Downsample.parse(downsample, dialect.durations());
    if (downsampling != null) {
      dialect.checkFill(downsampling);
    }
    if (!series.tsuids.isEmpty() && !series.filters.isEmpty() && !dialect.dropsFiltersOfTsuids()) {
      throw new RequestException("tags or filters can't be combined with tsuids");
    }
    if (!series.tsuids.isEmpty() && !series.metric.isEmpty() && !dialect.dropsFiltersOfTsuids()) {
      throw new RequestException("a metric can't be combined with tsuids");
    }
    if (!series.tsuids.isEmpty() && series.explicitTags && !dialect.dropsFiltersOfTsuids()) {
      throw new RequestException("explicitTags can't be combined with tsuids");
    }
    SeriesSelection selection =
        series.tsuids.isEmpty()
            ? new SeriesSelection(series.metric, series.filters, series.explicitTags, List.of())
            : new SeriesSelection("", List.of(), false, series.tsuids);
    return new Query(
        selection,
        0,
        Long.MAX_VALUE,
        by,
        downsampling,
        dialect.meant(rate),
        values.source(dialect));
  }

  /** The query in OpenTSDB's form, from which {@link #ofMetric} or {@link #ofTsuids} reads it. */
  @Override
  public String toString() {
    return QueryText.of(this);
  }
}
