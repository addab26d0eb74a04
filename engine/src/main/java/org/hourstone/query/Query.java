package org.hourstone.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * A query: series, a time range, and the operations on them. Immutable: every method returns a new
 * query.
 *
 * @param series the series to read
 * @param startMillis first timestamp, inclusive, in milliseconds since the epoch
 * @param endMillis last timestamp, inclusive
 * @param aggregator how the series of a group are combined
 * @param downsample how each series is downsampled before that, or null
 * @param rate how each series is converted to its rate of change after downsampling, or null
 * @param source where values are read from
 */
public record Query(
    SeriesSelection series,
    long startMillis,
    long endMillis,
    Aggregator aggregator,
    @Nullable Downsample downsample,
    @Nullable RateOptions rate,
    PointSource source) {

  /** All series of a metric, summed, over all time until the range is set. */
  public static Query metric(String metric) {
    return of(SeriesSelection.ofMetric(metric));
  }

  /**
   * Series by their TSUIDs in hex, summed, over all time until the range is set.
   *
   * @throws RequestException if one isn't hex, or the list is empty
   */
  public static Query tsuids(List<String> tsuids) {
    return of(new SeriesSelection("", List.of(), false, tsuids));
  }

  private static Query of(SeriesSelection series) {
    return new Query(series, 0, Long.MAX_VALUE, Aggregator.SUM, null, null, PointSource.DEFAULT);
  }

  /**
   * A query in OpenTSDB's form, without the range: {@code sum:5m-avg:rate:sys.cpu.user{host=*}}. It
   * is over all time until the range is set.
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public static Query parse(String expression) {
    return parse(expression, QueryDialect.HOURSTONE);
  }

  /** As {@link #parse(String)}, in a dialect. */
  public static Query parse(String expression, QueryDialect dialect) {
    return QueryDraft.ofMetric(expression, dialect).query(dialect);
  }

  /** The query in OpenTSDB's form, without the range. */
  public String text() {
    return QueryDraft.of(this).toString();
  }

  /** The metric's name; empty if series are selected by TSUID. */
  public String metric() {
    return series.metric();
  }

  /** The filters on series of the metric; a series must pass all of them. */
  public List<TagFilter> filters() {
    return series.filters();
  }

  /** Whether series with tags that no filter names are left out. */
  public boolean explicitTags() {
    return series.explicitTags();
  }

  /**
   * Sets the range, both ends inclusive.
   *
   * @throws RequestException if it doesn't end after its start
   */
  public Query between(Instant start, Instant end) {
    return betweenMillis(millis(start), millis(end));
  }

  private static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new RequestException("time out of range: " + time, e);
    }
  }

  /** As {@link #between}, in milliseconds since the epoch. */
  public Query betweenMillis(long start, long end) {
    if (start < 0) {
      throw new RequestException("start time before 1970: " + start + " ms");
    }
    if (end <= start) {
      throw new RequestException(
          "End time [" + end + "] must be greater than the start time [" + start + "]");
    }
    return new Query(series, start, end, aggregator, downsample, rate, source);
  }

  /** Sets the aggregator; the default is sum. */
  public Query aggregate(Aggregator by) {
    return new Query(series, startMillis, endMillis, by, downsample, rate, source);
  }

  /** Downsamples each series to one point per interval, counted from the epoch. */
  public Query downsample(Duration interval, Aggregator by) {
    if (interval.toMillis() < 1) {
      throw new RequestException("downsampling interval of less than a millisecond");
    }
    return downsample(Downsample.fixed(interval.toMillis(), by));
  }

  /** Sets the downsampling of each series; null for none. */
  public Query downsample(@Nullable Downsample how) {
    return new Query(series, startMillis, endMillis, aggregator, how, rate, source);
  }

  /** Converts each series to its rate of change per second; null for none. */
  public Query rate(@Nullable RateOptions how) {
    return new Query(series, startMillis, endMillis, aggregator, downsample, how, source);
  }

  /** Sets where values are taken from. */
  public Query from(PointSource where) {
    return new Query(series, startMillis, endMillis, aggregator, downsample, rate, where);
  }

  /**
   * Keeps the series whose tag passes a filter and returns one series for each of its values.
   *
   * @param filter {@code *}, a value, {@code a|b}, or another form of {@link TagFilter#parse}
   */
  public Query groupBy(String tagk, String filter) {
    return filter(TagFilter.parse(tagk, filter, true));
  }

  /** Keeps the series whose tag passes a filter, without grouping by it. See {@link #groupBy}. */
  public Query where(String tagk, String filter) {
    return filter(TagFilter.parse(tagk, filter, false));
  }

  /** Adds a filter. */
  public Query filter(TagFilter filter) {
    List<TagFilter> more = new ArrayList<>(filters());
    more.add(filter);
    return with(new SeriesSelection(series.metric(), more, series.explicitTags(), series.tsuids()));
  }

  /** Leaves out series with tags that no filter names. */
  public Query withExplicitTags() {
    return with(new SeriesSelection(series.metric(), series.filters(), true, series.tsuids()));
  }

  private Query with(SeriesSelection other) {
    return new Query(other, startMillis, endMillis, aggregator, downsample, rate, source);
  }

  /** The query in OpenTSDB's form, and the range. */
  @Override
  public String toString() {
    return text() + " from " + startMillis + " to " + endMillis + " ms";
  }
}
