package org.hourstone.api.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionException;
import org.hourstone.expression.ExpressionQuery;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Join;
import org.hourstone.expression.ExpressionQuery.Metric;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.TagFilter;
import org.hourstone.query.TimeText;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@code /api/query/exp}.
 *
 * @param echo the request as repeated in the response
 */
record ExpRequest(ExpressionQuery query, List<Output> outputs, ObjectNode echo) {
  /** The output for a metric or formula. */
  record Output(String id, @Nullable String alias) {}

  // The members that the objects of a request may have.

  private static final Set<String> REQUEST =
      Set.of("name", "time", "filters", "metrics", "expressions", "outputs");
  private static final Set<String> TIME =
      Set.of(
          "start",
          "end",
          "timezone",
          "useCalendar",
          "aggregator",
          "downsampler",
          "rate",
          "rateOptions");
  private static final Set<String> DOWNSAMPLER =
      Set.of("interval", "aggregator", "fillPolicy", "timezone", "useCalendar");
  private static final Set<String> FILTER = Set.of("id", "tags", "explicitTags");
  private static final Set<String> METRIC =
      Set.of("id", "metric", "filter", "aggregator", "fillPolicy");
  private static final Set<String> FORMULA = Set.of("id", "expr", "join", "fillPolicy");
  private static final Set<String> JOIN = Set.of("operator", "useQueryTags", "includeAggTags");
  private static final Set<String> OUTPUT = Set.of("id", "alias");
  private static final Set<String> FILL = Set.of("policy", "value");

  /** Tags to select series by. */
  private record Filter(List<TagFilter> tags, boolean explicit) {}

  /**
   * @throws ExpressionException if it is malformed
   */
  static ExpRequest of(ApiCall call, ApiOptions options) {
    if (call.body().isEmpty()) {
      throw wrong("no body", "Incoming data was null or empty");
    }
    BodyValue json;
    try {
      json = RequestBody.object(call, options.requests().bodies(), REQUEST);
    } catch (ApiException e) {
      throw wrong(e.details());
    }
    return new Reader(json, options).request();
  }

  private static ExpressionException wrong(String message) {
    return wrong(message, message);
  }

  private static ExpressionException wrong(String message, String openTsdb) {
    return new ExpressionException(message, ExpressionException.Kind.FAILED, openTsdb);
  }

  /** Parses the JSON, and creates its repetition. */
  private static final class Reader {
    private final BodyValue json;
    private final ApiOptions options;
    private final ObjectNode echo = Json.object();
    private final ExpressionDialect dialect;
    private Aggregator aggregator = Aggregator.SUM;
    private @Nullable Downsample downsample;
    private @Nullable RateOptions rate;

    /** The value of a metric without a fill policy of its own where it has none. */
    private double absent;

    private ZoneId zoneOfDays = ZoneOffset.UTC;
    private boolean calendar;
    private long start;
    private long end;

    Reader(BodyValue json, ApiOptions options) {
      this.json = json;
      this.options = options;
      this.dialect = options.expressions();
    }

    ExpRequest request() {
      echo.set("name", json.member("name").json());
      BodyValue time = json.member("time").object(TIME);
      if (time.isAbsent()) {
        throw wrong("missing time");
      }
      try {
        time(time);
      } catch (ExpressionException e) {
        throw e;
      } catch (RequestException e) {
        throw wrong("time: " + e.getMessage(), "Invalid time");
      }
      Map<String, Filter> filters = filters();
      List<Metric> metrics = metrics(filters);
      List<Formula> formulas = formulas();
      List<Output> outputs = outputs(metrics, formulas);
      checkUsed(filters.keySet());
      return new ExpRequest(new ExpressionQuery(start, end, metrics, formulas), outputs, echo);
    }

    private void time(BodyValue time) {
      String zone = time.member("timezone").text();
      ZoneId zoneId = zone.isEmpty() ? options.timeZone() : zone(zone);
      Instant now = options.clock().instant();
      String from = time.member("start").text();
      String to = time.member("end").text();
      if (from.isEmpty()) {
        throw new RequestException("missing start");
      }
      zoneOfDays = zone.isEmpty() ? ZoneOffset.UTC : zoneId;
      calendar =
          options.requests().times().hasCalendarsInExpressions()
              && time.member("useCalendar").flag(false);
      start = millis("start", from, now, zoneId);
      end = to.isEmpty() ? now.toEpochMilli() : millis("end", to, now, zoneId);
      String by = time.member("aggregator").text();
      if (by.isEmpty()) {
        throw new RequestException("missing aggregator");
      }
      aggregator = Aggregator.parse(by);
      RateOptions rateOptions = rateOptions(time);
      rate =
          options
              .requests()
              .queries()
              .meant(new QueryDraft.Rate(time.member("rate").flag(false), rateOptions));
      ObjectNode repeated = Json.object();
      repeated.put("start", from).put("end", to.isEmpty() ? null : to);
      repeated.set("timezone", time.member("timezone").json());
      repeated.set("downsampler", downsampler(time.member("downsampler")));
      repeated.put("aggregator", by).put("rate", rate != null);
      if (rateOptions != null) {
        repeated.set("rateOptions", time.member("rateOptions").json());
      }
      echo.set("time", repeated);
      if (end <= start) {
        String message =
            "End time [" + end + "] must be greater than the start time [" + start + "]";
        throw wrong("time: " + message, message);
      }
    }

    private long millis(String name, String text, Instant now, ZoneId zone) {
      try {
        options.requests().times().checkTime(text);
        return TimeText.parseMillis(text, now, zone, options.requests().queries());
      } catch (RequestException e) {
        throw new RequestException(name + ": " + e.getMessage(), e);
      }
    }

    /** OpenTSDB doesn't know them here. */
    private @Nullable RateOptions rateOptions(BodyValue time) {
      return options.requests().bodies().takesUnknownMembers()
          ? null
          : QueryBody.rateOptions(time.member("rateOptions"));
    }

    private ZoneId zone(String zone) {
      if (options.requests().times().hasCalendarsInExpressions()) {
        return options.requests().times().timeZone(zone);
      }
      try {
        return ZoneId.of(zone);
      } catch (DateTimeException e) {
        throw new RequestException("no such timezone: " + zone, e);
      }
    }

    /** With the calendar and the time zone of the request. */
    private Downsample inCalendar(Downsample buckets, BodyValue downsampler) {
      if (!options.requests().times().hasCalendarsInExpressions()) {
        return buckets;
      }
      String zone = downsampler.member("timezone").text();
      boolean uses = downsampler.member("useCalendar").flag(calendar);
      return (uses ? buckets.withCalendar() : buckets)
          .withZone(zone.isEmpty() ? zoneOfDays : zone(zone));
    }

    private JsonNode downsampler(BodyValue downsampler) {
      if (downsampler.object(DOWNSAMPLER).isAbsent()) {
        return Json.nothing();
      }
      String interval = downsampler.member("interval").text();
      String by = downsampler.member("aggregator").text();
      if (isExact() && (interval + by).indexOf('-') >= 0) {
        throw new RequestException("downsampler: '-' in " + interval + " or " + by);
      }
      JsonNode fill = fillPolicy(downsampler);
      String policy = dialect.fillsBuckets() && !fill.isNull() ? "-" + policy(fill) : "";
      downsample =
          inCalendar(
              Downsample.parse(interval + "-" + by + policy, dialect.queries().durations()),
              downsampler);
      ObjectNode repeated = Json.object().put("interval", interval).put("aggregator", by);
      repeated.set("fillPolicy", fill);
      absent = policy.isEmpty() ? 0 : fill.path("value").asDouble();
      return repeated;
    }

    private static String policy(JsonNode fill) {
      String policy = fill.path("policy").asText();
      if (policy.equals("scalar")) {
        throw new RequestException("a downsampler has no fill policy scalar");
      }
      return policy;
    }

    private Map<String, Filter> filters() {
      Map<String, Filter> filters = new HashMap<>();
      ArrayNode repeated = Json.array();
      for (BodyValue filter : json.member("filters").objects(FILTER)) {
        String id = filter.member("id").text();
        checkId(id, "filter", repeated.size());
        List<TagFilter> tags = new ArrayList<>();
        ArrayNode repeatedTags = Json.array();
        for (BodyValue tag : filter.member("tags").objects(QueryBody.FILTER)) {
          tags.add(tagFilter(tag, repeatedTags));
        }
        boolean explicit = filter.member("explicitTags").flag(false);
        if (filters.put(id, new Filter(tags, explicit)) != null) {
          throw wrong("duplicated filter id: " + id);
        }
        ObjectNode one = Json.object().put("id", id);
        one.set("tags", repeatedTags);
        repeated.add(one.put("explicitTags", explicit));
      }
      echo.set("filters", json.has("filters") ? repeated : Json.nothing());
      return filters;
    }

    private static TagFilter tagFilter(BodyValue tag, ArrayNode repeated) {
      try {
        TagFilter filter = QueryBody.filter(tag);
        repeated.add(QueryEcho.of(filter));
        return filter;
      } catch (RequestException e) {
        throw wrong("filters: " + e.getMessage());
      }
    }

    private void checkUsed(Set<String> filters) {
      List<String> used =
          json.member("metrics").elements().stream().map(m -> m.member("filter").text()).toList();
      for (String filter : filters) {
        if (isExact() && !used.contains(filter)) {
          throw wrong("filters: no metric has the filter " + filter);
        }
      }
    }

    private List<Metric> metrics(Map<String, Filter> filters) {
      List<Metric> metrics = new ArrayList<>();
      ArrayNode repeated = Json.array();
      List<BodyValue> given = json.member("metrics").objects(METRIC);
      if (given.isEmpty()) {
        throw wrong("missing or empty metrics");
      }
      for (BodyValue metric : given) {
        metrics.add(metric(metric, filters, repeated));
      }
      echo.set("metrics", repeated);
      return metrics;
    }

    private Metric metric(BodyValue metric, Map<String, Filter> filters, ArrayNode repeated) {
      int index = repeated.size();
      String id = metric.member("id").text();
      checkId(id, "metric", index);
      String name = metric.member("metric").text();
      if (name.isEmpty()) {
        throw wrong("metric " + id + " has no metric's name", "Invalid metric at index " + index);
      }
      Query query = query(metric, id, name, index);
      Set<String> queryTags = new LinkedHashSet<>();
      String filterId = metric.member("filter").text();
      if (!filterId.isEmpty()) {
        Filter filter = filters.get(filterId);
        if (filter == null) {
          throw wrong("unrecognized filter id " + filterId + " in metric " + id);
        }
        for (TagFilter tag : filter.tags()) {
          query = query.filter(tag);
          queryTags.add(tag.tagk());
        }
        query = filter.explicit() ? query.withExplicitTags() : query;
      }
      JsonNode fill = fillPolicy(metric);
      ObjectNode one = Json.object().put("metric", name).put("id", id);
      one.set("filter", metric.member("filter").json());
      one.set("aggregator", metric.member("aggregator").json());
      one.set("timeOffset", metric.member("timeOffset").json());
      one.set("fillPolicy", fill);
      repeated.add(one);
      return new Metric(id, query, queryTags, fill.isNull() ? absent : Json.decimal(fill, "value"));
    }

    private Query query(BodyValue metric, String id, String name, int index) {
      String own = metric.member("aggregator").text();
      try {
        return Query.metric(name)
            .aggregate(own.isEmpty() ? aggregator : Aggregator.parse(own))
            .downsample(downsample)
            .rate(rate);
      } catch (RequestException e) {
        throw wrong("metric " + id + ": " + e.getMessage(), "Invalid metric at index " + index);
      }
    }

    private List<Formula> formulas() {
      List<Formula> formulas = new ArrayList<>();
      ArrayNode repeated = Json.array();
      for (BodyValue formula : json.member("expressions").objects(FORMULA)) {
        int index = repeated.size();
        String id = formula.member("id").text();
        checkId(id, "expression", index);
        String text = formula.member("expr").text();
        if (text.isEmpty()) {
          throw wrong("expression " + id + " has no expr", "Invalid expression at index " + index);
        }
        ObjectNode one = Json.object().put("id", id).put("expr", text);
        Join join = join(formula.member("join").object(JOIN), id, one);
        JsonNode fill = fillPolicy(formula);
        one.set("fillPolicy", fill);
        repeated.add(one);
        formulas.add(
            new Formula(id, text, join, fill.isNull() ? null : Json.decimal(fill, "value")));
      }
      echo.set("expressions", json.has("expressions") ? repeated : Json.nothing());
      return formulas;
    }

    private static Join join(BodyValue join, String id, ObjectNode repeated) {
      Join read = Join.DEFAULT;
      if (!join.isAbsent()) {
        String operator = join.member("operator").text().toLowerCase(Locale.ROOT);
        if (!operator.equals("union") && !operator.equals("intersection")) {
          String message =
              "expression "
                  + id
                  + ": join.operator must be union or intersection, not '"
                  + operator
                  + "'";
          throw operator.isEmpty()
              ? wrong(message, "The set operator cannot be null")
              : wrong(message);
        }
        read =
            new Join(
                operator.equals("intersection"),
                join.member("useQueryTags").flag(false),
                join.member("includeAggTags").flag(true));
      }
      repeated
          .putObject("join")
          .put("operator", read.intersection() ? "intersection" : "union")
          .put("useQueryTags", read.byQueryTags())
          .put("includeAggTags", read.withAggregatedTags());
      return read;
    }

    private List<Output> outputs(List<Metric> metrics, List<Formula> formulas) {
      List<Output> outputs = new ArrayList<>();
      ArrayNode repeated = Json.array();
      for (BodyValue output : json.member("outputs").objects(OUTPUT)) {
        String id = output.member("id").text();
        String alias = output.member("alias").text();
        boolean known =
            metrics.stream().anyMatch(metric -> metric.id().equals(id))
                || formulas.stream().anyMatch(formula -> formula.id().equals(id));
        if (!known && !dialect.allowsUnknownOutputs()) {
          throw wrong("outputs: '" + id + "' is neither a metric nor an expression", "");
        }
        outputs.add(new Output(id, alias.isEmpty() ? null : alias));
        ObjectNode one = Json.object().put("id", id);
        one.set("alias", output.member("alias").json());
        repeated.add(one);
      }
      echo.set("outputs", json.has("outputs") ? repeated : Json.nothing());
      if (outputs.isEmpty()) {
        formulas.forEach(formula -> outputs.add(new Output(formula.id(), null)));
      }
      if (outputs.isEmpty()) {
        metrics.forEach(metric -> outputs.add(new Output(metric.id(), null)));
      }
      return outputs;
    }

    /** A policy in the repeated request: with its value. */
    private JsonNode fillPolicy(BodyValue of) {
      BodyValue policy = of.member("fillPolicy");
      if (policy.isAbsent() || (!policy.json().isObject() && !dialect.fillsBuckets())) {
        return Json.nothing();
      }
      boolean isText = policy.json().isTextual();
      String name =
          (isText ? policy.text() : policy.object(FILL).member("policy").text())
              .toLowerCase(Locale.ROOT);
      double given = isText ? Double.NaN : policy.member("value").decimal(Double.NaN);
      double value =
          switch (name) {
            case "nan", "null", "none" -> Double.NaN;
            case "zero" -> 0;
            case "scalar" -> Double.isNaN(given) ? 0 : given;
            default ->
                throw wrong(
                    "no such fill policy: '" + name + "' (known: none, nan, null, zero, scalar)");
          };
      if (isExact()) {
        checkValue(policy, name, isText || !policy.has("value") ? null : given, value);
      }
      return Json.object().put("policy", name).put("value", value);
    }

    /** Whether what has no effect is refused. */
    private boolean isExact() {
      return !options.requests().bodies().takesUnknownMembers();
    }

    private static void checkValue(
        BodyValue policy, String name, @Nullable Double given, double value) {
      if (name.equals("scalar") && given == null) {
        throw wrong(policy.place() + ": the fill policy scalar needs a value");
      }
      if (given != null && Double.compare(given, value) != 0) {
        throw wrong(
            policy.place() + ".value: has no effect with the fill policy " + name + ": " + given);
      }
    }

    private static void checkId(String id, String kind, int index) {
      if (!id.matches("[A-Za-z0-9_]+") || id.matches("[0-9]+")) {
        throw wrong(
            kind
                + " "
                + index
                + ": its id is '"
                + id
                + "'; an id is of letters, digits and underscores, and not of digits alone",
            "Invalid " + kind + " at index " + index);
      }
    }
  }
}
