package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.LastPoints;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.ListResponse;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.endpoint.SeriesText;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.query.LastPoint;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;

/** {@code /api/query/last}: the latest points of series. */
public final class LastPointEndpoint implements Endpoint {
  /**
   * One query of the request.
   *
   * @param series without a metric if there are TSUIDs
   */
  private record Asked(SeriesText series, List<String> tsuids) {}

  private static final Set<String> REQUEST = Set.of("queries", "backScan", "resolveNames");
  private static final Set<String> QUERY = Set.of("metric", "tags", "tsuids");
  private static final SeriesText NO_SERIES = new SeriesText("", Map.of());

  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;

  public LastPointEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.options = options;
    this.completed = completed;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "GET" -> byParameters(call);
      case "POST" -> byBody(call, RequestBody.object(call, options.requests().bodies(), REQUEST));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private ApiResponse byParameters(ApiCall call) {
    List<Asked> queries = new ArrayList<>();
    for (String text : call.parameters().getOrDefault("timeseries", List.of())) {
      queries.add(new Asked(SeriesText.parse(text), List.of()));
    }
    for (String list : call.parameters().getOrDefault("tsuids", List.of())) {
      queries.add(new Asked(NO_SERIES, List.of(list.split(","))));
    }
    boolean resolve = call.parameter("resolve").filter(value -> !value.equals("false")).isPresent();
    return respond(
        call,
        queries,
        resolve,
        hours("back_scan", number(call.parameter("back_scan").orElse("0"))));
  }

  private ApiResponse byBody(ApiCall call, BodyValue body) {
    List<Asked> queries = new ArrayList<>();
    for (BodyValue query : body.member("queries").objects(QUERY)) {
      boolean isNamed = query.has("metric") || query.has("tags");
      if (isNamed && query.has("tsuids") && options.requests().findsLatestOfKnownSeries()) {
        throw query.wrong("a metric or tags can't be combined with tsuids");
      }
      queries.add(
          new Asked(
              new SeriesText(query.member("metric").text(), tags(query.member("tags"))),
              query.member("tsuids").texts()));
    }
    return respond(
        call,
        queries,
        body.member("resolveNames").flag(false),
        hours("backScan", body.member("backScan").number(0)));
  }

  /** An empty name or value would match any. */
  private Map<String, String> tags(BodyValue given) {
    Map<String, String> tags = given.textMembers();
    if (options.requests().findsLatestOfKnownSeries()
        && (tags.containsKey("") || tags.containsValue(""))) {
      throw given.wrong("a tag has no name or no value");
    }
    return tags;
  }

  private int hours(String name, int hours) {
    options.requests().checkLimit(name, hours);
    return Math.max(0, hours);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ApiException(ApiException.BAD_REQUEST, "Unable to parse back_scan parameter");
    }
  }

  private ApiResponse respond(ApiCall call, List<Asked> queries, boolean resolve, int hours) {
    if (queries.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing sub queries");
    }
    checkRows(queries, hours);
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> "last points for " + queries.size() + " queries",
        budget ->
            ListResponse.of(
                budget.memory(),
                points ->
                    find(
                        queries,
                        hours,
                        db.last(budget),
                        point -> points.accept(json(point, resolve)))));
  }

  private void checkRows(List<Asked> queries, int hours) {
    int most = options.maxLastRows();
    long series = queries.stream().mapToLong(asked -> Math.max(1, asked.tsuids().size())).sum();
    if (most > 0 && series * (hours + 1L) > most) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          series
              + " series with "
              + hours
              + " hours back need more than "
              + most
              + " rows (hourstone.last.max_rows)");
    }
  }

  private void find(List<Asked> queries, int hours, LastPoints last, Consumer<LastPoint> points) {
    try {
      queries.forEach(asked -> find(asked, hours, last, points));
    } catch (NoSuchNameException | NoSuchUidException | CorruptDataException | RequestException e) {
      String message = String.valueOf(e.getMessage());
      throw new ApiException(ApiException.BAD_REQUEST, message, message);
    }
  }

  private void find(Asked asked, int hours, LastPoints last, Consumer<LastPoint> points) {
    boolean latest = options.requests().findsLatestOfKnownSeries();
    if (asked.tsuids().isEmpty()) {
      String metric = asked.series().metric();
      if (metric.isEmpty()) {
        throw new RequestException("Metric cannot be null or empty");
      }
      Map<String, String> tags = asked.series().tags();
      if (latest) {
        if (hours == 0) {
          last.latest(metric, tags, points);
        } else {
          last.within(metric, tags, hours, points);
        }
      } else if (hours == 0) {
        last.byMeta(metric, tags, points);
      } else {
        last.find(metric, tags, hours).ifPresent(points);
      }
      return;
    }
    boolean byMeta = hours == 0 && options.tracksSeries();
    for (String tsuid : asked.tsuids()) {
      if (latest && hours == 0) {
        last.latest(tsuid).ifPresent(points);
        continue;
      }
      (byMeta ? last.byMeta(tsuid) : last.find(tsuid, hours)).ifPresent(points);
    }
  }

  private ObjectNode json(LastPoint point, boolean resolve) {
    ObjectNode json = Json.object();
    if (!resolve) {
      return json.put("timestamp", point.millis())
          .put("value", point.text())
          .put("tsuid", point.tsuid());
    }
    SeriesName name = db.seriesNames().of(UidText.parse(point.tsuid()));
    json.put("metric", name.metric())
        .put("timestamp", point.millis())
        .put("value", point.text())
        .set("tags", Json.value(name.tags()));
    return json.put("tsuid", point.tsuid());
  }
}
