package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.internal.Json;
import org.hourstone.query.Aggregator;
import org.hourstone.query.Downsample;
import org.hourstone.query.Query;
import org.hourstone.query.TagFilter;
import org.hourstone.query.TimeText;

/**
 * A request to {@code /api/query}: in JSON, or as parameters. What OpenTSDB knows and is not
 * answered here is refused with status 501, so that nobody takes an answer for what it is not.
 *
 * @param queries in their order, none twice
 * @param milliseconds whether the answer's times are in milliseconds; else in seconds
 * @param showTsuids whether the answer names the series it is made of
 */
record QueryRequest(List<Query> queries, boolean milliseconds, boolean showTsuids) {
  /** Of a sub-query: what changes its answer in a way that is not there. */
  private static final List<String> UNANSWERED_IN_SUB_QUERY =
      List.of(
          "tsuids",
          "rate",
          "percentiles",
          "showHistogramBuckets",
          "preAggregate",
          "rollupUsage",
          "rollupTable");

  /** Of the whole request: the same. */
  private static final List<String> UNANSWERED =
      List.of("useCalendar", "showQuery", "showStats", "showSummary");

  private static final List<String> UNANSWERED_PARAMETERS =
      List.of("tsuid", "show_query", "show_stats", "show_summary", "arrays", "jsonp");

  private static final Pattern UNANSWERED_PART =
      Pattern.compile("rate.*|pre-agg|rollup_.*|percentiles\\[.*|show-histogram-buckets");

  private static final Pattern UNANSWERED_DOWNSAMPLING =
      Pattern.compile("\\d+[a-z]+c-.*|[^-]*-[^-]*-(nan|null|zero|scalar#.*)");

  private static final Pattern UNANSWERED_AGGREGATOR =
      Pattern.compile(
          "zimsum|mimmin|mimmax|pfsum|dev|diff|mult|multiply|median|squareSum|first|last"
              + "|movingAverage|ep\\d+r[37]|p\\d+");

  private static final Pattern UNANSWERED_FILTER =
      Pattern.compile("(regexp|iliteral_or|not_literal_or|not_iliteral_or|not_key)\\(.*");

  /**
   * @throws ApiException if it is malformed, or not answered here
   * @throws IllegalArgumentException if it is malformed
   */
  static QueryRequest of(ApiCall call, Tsdb db) {
    return call.method().equals("GET")
        ? ofParameters(call, db)
        : ofBody(RequestBody.object(call), db);
  }

  private static QueryRequest ofBody(JsonNode body, Tsdb db) {
    if (body.path("delete").asBoolean()) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "Bad request",
          "Deleting data is not enabled (tsd.http.query.allow_delete=false)");
    }
    UNANSWERED.stream().filter(field -> isSet(body, field)).forEach(QueryRequest::refuse);
    ZoneId zone = zone(Json.string(body, "timezone"), db);
    long start = start(Json.string(body, "start"), db, zone);
    long end = end(Json.string(body, "end"), db, zone);
    if (!body.path("queries").isArray() || body.path("queries").isEmpty()) {
      throw new IllegalArgumentException("Missing queries");
    }
    Set<Query> queries = new LinkedHashSet<>();
    for (JsonNode sub : body.path("queries")) {
      queries.add(subQuery(sub).betweenMillis(start, end));
    }
    return new QueryRequest(
        List.copyOf(queries),
        body.path("msResolution").asBoolean(),
        body.path("showTSUIDs").asBoolean());
  }

  private static Query subQuery(JsonNode sub) {
    UNANSWERED_IN_SUB_QUERY.stream()
        .filter(field -> isSet(sub, field))
        .forEach(QueryRequest::refuse);
    String aggregator = Json.string(sub, "aggregator");
    if (aggregator.isEmpty()) {
      throw new IllegalArgumentException("Missing the aggregation function");
    }
    String metric = Json.string(sub, "metric");
    if (metric.isEmpty()) {
      throw new IllegalArgumentException("Missing the metric or tsuids, provide at least one");
    }
    Query query = Query.metric(metric).aggregate(aggregator(aggregator));
    String downsample = Json.string(sub, "downsample");
    if (!downsample.isEmpty()) {
      query = query.downsample(downsample(downsample));
    }
    for (TagFilter filter : filters(sub)) {
      query = query.filter(filter);
    }
    return sub.path("explicitTags").asBoolean() ? query.withExplicitTags() : query;
  }

  private static List<TagFilter> filters(JsonNode sub) {
    List<TagFilter> filters = new ArrayList<>();
    for (var tag : sub.path("tags").properties()) {
      filters.add(filter(tag.getKey(), tag.getValue().asText(), true));
    }
    for (JsonNode filter : sub.path("filters")) {
      String type = Json.string(filter, "type");
      if (type.isEmpty()) {
        throw new IllegalArgumentException("The filter type cannot be null or empty");
      }
      String text = type + "(" + Json.string(filter, "filter") + ")";
      filters.add(filter(Json.string(filter, "tagk"), text, filter.path("groupBy").asBoolean()));
    }
    return filters;
  }

  private static TagFilter filter(String tagk, String text, boolean groupBy) {
    if (UNANSWERED_FILTER.matcher(text).matches()) {
      refuse("filter " + text);
    }
    return TagFilter.parse(tagk, text, groupBy);
  }

  private static QueryRequest ofParameters(ApiCall call, Tsdb db) {
    UNANSWERED_PARAMETERS.stream().filter(call::has).forEach(QueryRequest::refuse);
    if (call.parameter("start").isEmpty()) {
      throw new IllegalArgumentException("Missing parameter <code>start</code>");
    }
    ZoneId zone = db.options().timeZone();
    long start = start(call.parameter("start").orElseThrow(), db, zone);
    long end = end(call.parameter("end").orElse(""), db, zone);
    Set<Query> queries = new LinkedHashSet<>();
    for (String text : call.parameters().getOrDefault("m", List.of())) {
      queries.add(parse(text).betweenMillis(start, end));
    }
    if (queries.isEmpty()) {
      throw new IllegalArgumentException("Missing sub queries");
    }
    return new QueryRequest(List.copyOf(queries), call.has("ms"), call.has("show_tsuids"));
  }

  private static Query parse(String text) {
    int brace = text.indexOf('{');
    String[] parts = (brace < 0 ? text : text.substring(0, brace)).split(":", -1);
    aggregator(parts[0]);
    for (String part : Arrays.asList(parts).subList(1, Math.max(1, parts.length - 1))) {
      if (UNANSWERED_PART.matcher(part).matches()) {
        refuse(part);
      }
      checkDownsampling(part);
    }
    for (String filter : brace < 0 ? new String[0] : text.substring(brace).split("[{},]")) {
      if (UNANSWERED_FILTER.matcher(filter.substring(filter.indexOf('=') + 1)).matches()) {
        refuse("filter " + filter);
      }
    }
    return Query.parse(text);
  }

  private static Aggregator aggregator(String name) {
    if (UNANSWERED_AGGREGATOR.matcher(name).matches()) {
      refuse("aggregator " + name);
    }
    return Aggregator.parse(name);
  }

  private static Downsample downsample(String text) {
    checkDownsampling(text);
    return Downsample.parse(text);
  }

  private static void checkDownsampling(String text) {
    String[] parts = text.split("-", -1);
    if (UNANSWERED_DOWNSAMPLING.matcher(text).matches()
        || (parts.length > 1 && UNANSWERED_AGGREGATOR.matcher(parts[1]).matches())) {
      refuse("downsampling " + text);
    }
  }

  private static boolean isSet(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isContainerNode() ? !value.isEmpty() : value.isTextual() || value.asBoolean();
  }

  private static void refuse(String what) {
    throw new ApiException(ApiException.NOT_IMPLEMENTED, what + " is not answered here");
  }

  private static long start(String text, Tsdb db, ZoneId zone) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("Missing start time");
    }
    return TimeText.parseMillis(text, db.options().clock().instant(), zone);
  }

  private static long end(String text, Tsdb db, ZoneId zone) {
    Instant now = db.options().clock().instant();
    return text.isEmpty() ? now.toEpochMilli() : TimeText.parseMillis(text, now, zone);
  }

  private static ZoneId zone(String text, Tsdb db) {
    try {
      return text.isEmpty() ? db.options().timeZone() : ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("The timezone specification could not be found", e);
    }
  }
}
