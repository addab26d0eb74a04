package org.hourstone.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.query.HistogramView;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesSelection;
import org.hourstone.query.TimeText;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/** Creates queries from a request, with checks in the same order as in OpenTSDB. */
final class RequestedQueries {
  private final Tsdb db;
  private final QueryRequest request;
  private final boolean openTsdb;

  /** The intervals of the queries that could be parsed. */
  private final List<Query> queries = new ArrayList<>();

  private final List<Long> intervals = new ArrayList<>();

  private RequestedQueries(Tsdb db, QueryRequest request) {
    this.db = db;
    this.request = request;
    this.openTsdb = db.engine().options().get(Settings.OPENTSDB_REQUESTS);
  }

  /**
   * The queries, in the request's order.
   *
   * @throws ApiException if the request is wrong
   */
  static List<Query> of(QueryRequest request, Tsdb db) {
    RequestedQueries requested = new RequestedQueries(db, request);
    requested.read();
    return requested.queries;
  }

  private void read() {
    String where = "";
    try {
      Instant now = db.engine().options().clock().instant();
      String start = request.start();
      if (start == null || start.isEmpty()) {
        throw new RequestException("Missing start time");
      }
      long from = time(start, now);
      String end = request.end();
      long to = end == null || end.isEmpty() ? now.toEpochMilli() : time(end, now);
      if (to <= from) {
        throw new RequestException(
            "End time [" + to + "] must be greater than the start time [" + from + "]");
      }
      if (request.subQueries().isEmpty()) {
        throw new RequestException("Missing queries");
      }
      for (Map.Entry<SubQuery, String> entry : request.subQueries().entrySet()) {
        where = entry.getValue();
        queries.add(query(entry.getKey()).betweenMillis(from, to));
      }
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          e.getMessage(),
          openTsdb ? RequestDescription.of(request, intervals) : where);
    }
  }

  private Query query(SubQuery asked) {
    if (asked.aggregator().isEmpty()) {
      throw new RequestException("Missing the aggregation function");
    }
    Aggregator aggregator = Aggregator.parse(asked.aggregator());
    if (asked.tsuids().isEmpty() && asked.metric().isEmpty()) {
      throw new RequestException("Missing the metric or tsuids, provide at least one");
    }
    Downsample downsample = downsample(asked.downsample());
    RateOptions options = asked.rateOptions() == null ? RateOptions.DEFAULT : asked.rateOptions();
    return new Query(
        selection(asked),
        0,
        Long.MAX_VALUE,
        aggregator,
        downsample,
        asked.rate() ? options : null,
        source(asked));
  }

  private SeriesSelection selection(SubQuery asked) {
    if (asked.tsuids().isEmpty()) {
      return new SeriesSelection(asked.metric(), asked.filters(), asked.explicitTags(), List.of());
    }
    if (openTsdb) {
      asked.tsuids().forEach(this::refuseShort);
    }
    return new SeriesSelection("", List.of(), false, asked.tsuids());
  }

  /** OpenTSDB splits off the metric before it checks that there is one, and fails. */
  private void refuseShort(String tsuid) {
    int digits = 2 * db.engine().options().schema().metricWidth();
    if (tsuid.length() < digits) {
      throw ApiException.internal("begin 0, end " + digits + ", length " + tsuid.length());
    }
  }

  private @Nullable Downsample downsample(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      intervals.add(0L);
      return null;
    }
    Downsample downsample = Downsample.parse(text, openTsdb);
    intervals.add(downsample.intervalMillis());
    String zone = request.timezone();
    if (zone != null && !zone.isEmpty()) {
      downsample = downsample.withZone(zone(zone));
    }
    return request.has(QueryFlag.USE_CALENDAR) ? downsample.withCalendar() : downsample;
  }

  private PointSource source(SubQuery asked) {
    PointSource source = PointSource.DEFAULT;
    if (asked.rollupUsage() != null) {
      source = source.withRollups(RollupUsage.parse(asked.rollupUsage()));
    }
    if (asked.preAggregate()) {
      source = source.withPreAggregates();
    }
    if (asked.isOfHistograms()) {
      List<Double> percentiles = asked.percentiles() == null ? List.of() : asked.percentiles();
      source = source.withHistograms(new HistogramView(percentiles, asked.histogramBuckets()));
    }
    return request.has(QueryFlag.NO_ANNOTATIONS) ? source : source.withAnnotations();
  }

  /** The zone affects dates only; so does an unknown one. */
  private long time(String text, Instant now) {
    if (openTsdb) {
      complainOfDigits(text);
    }
    String zone = request.timezone();
    return TimeText.parseMillis(
        text,
        now,
        zone == null || zone.isEmpty() || text.indexOf('/') < 0
            ? db.engine().options().timeZone()
            : zone(zone));
  }

  /** OpenTSDB's text for a time that is neither relative nor a date nor a number. */
  private static void complainOfDigits(String text) {
    if (text.equals("now") || text.endsWith("-ago") || text.endsWith("ms") || text.contains("/")) {
      return;
    }
    if (text.startsWith("-")) {
      throw new RequestException(
          "Invalid time: " + text + ". Negative timestamps are not supported.");
    }
    text.chars()
        .filter(c -> (c < '0' || c > '9') && c != '.')
        .findFirst()
        .ifPresent(
            c -> {
              throw new RequestException(
                  "Invalid time: " + text + ". Invalid character '" + (char) c + "' in " + text);
            });
  }

  /** By the names of Java's old time zones, of which EST is one and GMT+2 is not. */
  private ZoneId zone(String name) {
    if (Arrays.asList(TimeZone.getAvailableIDs()).contains(name)) {
      return TimeZone.getTimeZone(name).toZoneId();
    }
    if (!openTsdb) {
      try {
        return ZoneId.of(name);
      } catch (DateTimeException e) {
        throw new RequestException("The timezone specification could not be found: " + name, e);
      }
    }
    throw new RequestException("The timezone specification could not be found");
  }
}
