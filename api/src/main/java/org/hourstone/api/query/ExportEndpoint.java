package org.hourstone.api.query;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.export.ExportFormat;
import org.hourstone.export.ExportRequest;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDraft;

/** {@code /api/export}: the stored points of a range, of all series or of some. */
public final class ExportEndpoint implements Endpoint {
  private static final long LATEST = Timestamps.MAX_SECONDS * 1000 + 999;

  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;

  public ExportEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.options = options;
    this.completed = completed;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    ExportRequest request = request(call);
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> "export " + (request.queries().isEmpty() ? "everything" : request.queries()),
        budget ->
            QueryErrors.answered(
                () ->
                    ApiResponse.streamed(
                        request.format().contentType(),
                        ExportedText.begin(db.export(request, budget))),
                options.requests()));
  }

  private ExportRequest request(ApiCall call) {
    ExportFormat format = ExportFormat.of(call.parameter("format").orElse("lines"));
    checkZone(call);
    long from = time(call, "start", 0);
    long to = time(call, "end", LATEST);
    if (to <= from) {
      throw new RequestException(
          "End time [" + to + "] must be greater than the start time [" + from + "]");
    }
    List<Query> queries = new ArrayList<>();
    for (String text : call.parameters().getOrDefault("m", List.of())) {
      queries.add(
          query("m=" + text, QueryDraft.ofMetric("none:" + text, options.requests().queries())));
    }
    for (String text : call.parameters().getOrDefault("tsuid", List.of())) {
      queries.add(
          query(
              "tsuid=" + text, QueryDraft.ofTsuids("none:" + text, options.requests().queries())));
    }
    return new ExportRequest(format, queries, from, to, call.parameter("after").orElse(""));
  }

  private long time(ApiCall call, String name, long otherwise) {
    String text = call.parameter(name).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      String zone = options.requests().times().timezone(call);
      return Math.max(0, RequestedQueries.time(text, zone, options.clock().instant(), options));
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          String.valueOf(e.getMessage()),
          options.requests().faults().placeOfTime(name));
    }
  }

  /** Also one without an effect. */
  private void checkZone(ApiCall call) {
    String zone = options.requests().times().timezone(call);
    if (zone != null && !zone.isEmpty()) {
      ZoneId unused = options.requests().times().timeZone(zone);
    }
  }

  private Query query(String where, QueryDraft draft) {
    QueryDraft.Values values = draft.values();
    if (draft.downsample() != null
        || draft.rate().isRequested()
        || values.isOfHistograms()
        || values.preAggregate()
        || values.rollupUsage() != null) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          where + ": an export has points as they are stored: name a metric and filters only");
    }
    int metricDigits = 2 * options.keys().schema().metricWidth();
    draft.series().tsuids().forEach(t -> options.requests().faults().checkTsuid(t, metricDigits));
    return draft.query(options.requests().queries());
  }
}
