package org.hourstone.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to read: a metric, a range of time, which series, and what to do with them. Immutable: every
 * method answers a new query.
 *
 * @param metric the metric's name
 * @param startMillis first instant, inclusive, in milliseconds since the epoch
 * @param endMillis last instant, inclusive
 * @param aggregator how the series of a group become one
 * @param downsample how each series is thinned before that, or null
 * @param filters which series; all of them must hold
 * @param explicitTags whether series with tags that no filter names are left out
 */
public record Query(
    String metric,
    long startMillis,
    long endMillis,
    Aggregator aggregator,
    @Nullable Downsample downsample,
    List<TagFilter> filters,
    boolean explicitTags) {

  public Query {
    if (metric.isEmpty()) {
      throw new IllegalArgumentException("empty metric name");
    }
    filters = List.copyOf(filters);
  }

  /** All series of a metric, summed, over all time until the range is set. */
  public static Query metric(String metric) {
    return new Query(metric, 0, Long.MAX_VALUE, Aggregator.SUM, null, List.of(), false);
  }

  /**
   * A query in OpenTSDB's form, without the range: {@code sum:5m-avg:sys.cpu.user{host=*}}.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static Query parse(String expression) {
    return QueryText.parse(expression);
  }

  /**
   * Sets the range, both ends inclusive.
   *
   * @throws IllegalArgumentException if it doesn't end after its start
   */
  public Query between(Instant start, Instant end) {
    return betweenMillis(millis(start), millis(end));
  }

  private static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("time out of range: " + time, e);
    }
  }

  /** As {@link #between}, in milliseconds since the epoch. */
  public Query betweenMillis(long start, long end) {
    if (start < 0) {
      throw new IllegalArgumentException("start time before 1970: " + start + " ms");
    }
    if (end <= start) {
      throw new IllegalArgumentException(
          "End time [" + end + "] must be greater than the start time [" + start + "]");
    }
    return new Query(metric, start, end, aggregator, downsample, filters, explicitTags);
  }

  /** Sets the aggregator, which is sum until then. */
  public Query aggregate(Aggregator by) {
    return new Query(metric, startMillis, endMillis, by, downsample, filters, explicitTags);
  }

  /** Thins each series to one point per interval, counted from the epoch. */
  public Query downsample(Duration interval, Aggregator by) {
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException("downsampling interval of less than a millisecond");
    }
    return downsample(Downsample.fixed(interval.toMillis(), by));
  }

  public Query downsample(@Nullable Downsample how) {
    return new Query(metric, startMillis, endMillis, aggregator, how, filters, explicitTags);
  }

  /**
   * Keeps the series whose tag passes a filter and answers one series for each of its values.
   *
   * @param filter {@code *}, a value, {@code a|b}, or another form of {@link TagFilter#parse}
   */
  public Query groupBy(String tagk, String filter) {
    return filter(TagFilter.parse(tagk, filter, true));
  }

  /** Keeps the series whose tag passes a filter; they stay together. See {@link #groupBy}. */
  public Query where(String tagk, String filter) {
    return filter(TagFilter.parse(tagk, filter, false));
  }

  /** Adds a filter. */
  public Query filter(TagFilter filter) {
    List<TagFilter> more = new ArrayList<>(filters);
    more.add(filter);
    return new Query(metric, startMillis, endMillis, aggregator, downsample, more, explicitTags);
  }

  /** Leaves out series with tags that no filter names. */
  public Query withExplicitTags() {
    return new Query(metric, startMillis, endMillis, aggregator, downsample, filters, true);
  }
}
