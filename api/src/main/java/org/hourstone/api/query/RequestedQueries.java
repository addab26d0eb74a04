package org.hourstone.api.query;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.TimeText;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/** Creates queries from a request, with checks in the same order as in OpenTSDB. */
final class RequestedQueries {
  private final ApiOptions options;
  private final QueryRequest request;
  private final ApiDialect dialect;

  private RequestedQueries(QueryRequest request, ApiOptions options) {
    this.options = options;
    this.request = request;
    this.dialect = options.requests();
  }

  /**
   * The queries, in the request's order.
   *
   * @throws ApiException if the request is wrong
   */
  static List<Query> of(QueryRequest request, ApiOptions options) {
    return new RequestedQueries(request, options).read();
  }

  private List<Query> read() {
    List<Query> queries = new ArrayList<>();
    String where = "";
    try {
      Instant now = options.clock().instant();
      String start = request.start();
      if (start == null || start.isEmpty()) {
        throw new RequestException("Missing start time");
      }
      where = dialect.faults().placeOfTime("start");
      long from = time(start, request.timezone(), now, options);
      String end = request.end();
      where = dialect.faults().placeOfTime("end");
      long to =
          end == null || end.isEmpty()
              ? now.toEpochMilli()
              : time(end, request.timezone(), now, options);
      where = "";
      checkUnusedZone();
      if (to <= from) {
        throw new RequestException(
            "End time [" + to + "] must be greater than the start time [" + from + "]");
      }
      if (request.drafts().isEmpty()) {
        throw new RequestException("Missing queries");
      }
      dialect
          .times()
          .checkRange(
              from,
              to,
              request.drafts().keySet().stream()
                  .anyMatch(draft -> !draft.series().filters().isEmpty()));
      for (Map.Entry<QueryDraft, String> entry : request.drafts().entrySet()) {
        where = entry.getValue();
        queries.add(query(entry.getKey()).betweenMillis(from, to));
      }
      return queries;
    } catch (RequestException e) {
      throw new ApiException(ApiException.BAD_REQUEST, String.valueOf(e.getMessage()), where);
    }
  }

  private Query query(QueryDraft draft) {
    int metricDigits = 2 * options.keys().schema().metricWidth();
    draft.series().tsuids().forEach(tsuid -> dialect.faults().checkTsuid(tsuid, metricDigits));
    Query query = inCalendar(draft.query(dialect.queries()), request, options);
    return request.has(QueryFlag.NO_ANNOTATIONS)
        ? query
        : query.from(query.source().withAnnotations());
  }

  /** A query with the calendar and the time zone of a request. */
  static Query inCalendar(Query query, QueryRequest request, ApiOptions options) {
    Downsample downsample = query.downsample();
    if (downsample == null) {
      return query;
    }
    String zone = request.timezone();
    if (zone != null && !zone.isEmpty()) {
      downsample = downsample.withZone(options.requests().times().timeZone(zone));
    }
    return query.downsample(
        request.has(QueryFlag.USE_CALENDAR) ? downsample.withCalendar() : downsample);
  }

  private void checkUnusedZone() {
    String zone = request.timezone();
    if (zone != null && !zone.isEmpty() && dialect.times().checksUnusedZone()) {
      ZoneId unused = dialect.times().timeZone(zone);
    }
  }

  /** A time in milliseconds. The zone affects dates only. */
  static long time(String text, @Nullable String zone, Instant now, ApiOptions options) {
    ApiDialect dialect = options.requests();
    dialect.times().checkTime(text);
    return TimeText.parseMillis(
        text,
        now,
        zone == null || zone.isEmpty() || !TimeText.isDate(text)
            ? options.timeZone()
            : dialect.times().timeZone(zone),
        dialect.queries());
  }
}
