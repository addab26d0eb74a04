package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hourstone.error.RequestException;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionException;
import org.hourstone.expression.ExpressionQuery;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Join;
import org.hourstone.expression.ExpressionQuery.Metric;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
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

  /** Tags to select series by. */
  private record Filter(List<TagFilter> tags, boolean explicit) {}

  /**
   * @throws ExpressionException if it is malformed
   */
  static ExpRequest of(String body, ApiOptions options) {
    return new Reader(read(body), options).request();
  }

  private static JsonNode read(String body) {
    if (body.isEmpty()) {
      throw wrong("no body", "Incoming data was null or empty");
    }
    JsonNode json;
    try {
      json = Json.read(body);
    } catch (RequestException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (!json.isObject()) {
      throw wrong("the body is not an object");
    }
    return json;
  }

  private static ExpressionException wrong(String message) {
    return wrong(message, message);
  }

  private static ExpressionException wrong(String message, String openTsdb) {
    return new ExpressionException(message, ExpressionException.Kind.FAILED, openTsdb);
  }

  /** Parses the JSON, and creates its repetition. */
  private static final class Reader {
    private final JsonNode json;
    private final ApiOptions options;
    private final ObjectNode echo = Json.object();
    private final ExpressionDialect dialect;
    private Aggregator aggregator = Aggregator.SUM;
    private @Nullable Downsample downsample;
    private @Nullable RateOptions rate;
    private long start;
    private long end;

    Reader(JsonNode json, ApiOptions options) {
      this.json = json;
      this.options = options;
      this.dialect = options.expressions();
    }

    ExpRequest request() {
      echo.set("name", orNull(json.path("name")));
      if (!json.path("time").isObject()) {
        throw wrong("missing time");
      }
      try {
        time(json.path("time"));
      } catch (ExpressionException e) {
        throw e;
      } catch (RequestException e) {
        throw wrong("time: " + e.getMessage(), "Invalid time");
      }
      Map<String, Filter> filters = filters();
      List<Metric> metrics = metrics(filters);
      List<Formula> formulas = formulas();
      List<Output> outputs = outputs(metrics, formulas);
      return new ExpRequest(new ExpressionQuery(start, end, metrics, formulas), outputs, echo);
    }

    private void time(JsonNode time) {
      String zone = Json.string(time, "timezone");
      ZoneId zoneId = zone.isEmpty() ? options.timeZone() : zone(zone);
      Instant now = options.clock().instant();
      String from = Json.string(time, "start");
      String to = Json.string(time, "end");
      if (from.isEmpty()) {
        throw new RequestException("missing start");
      }
      options.requests().checkTime(from);
      options.requests().checkTime(to);
      start = TimeText.parseMillis(from, now, zoneId);
      end = to.isEmpty() ? now.toEpochMilli() : TimeText.parseMillis(to, now, zoneId);
      String by = Json.string(time, "aggregator");
      if (by.isEmpty()) {
        throw new RequestException("missing aggregator");
      }
      aggregator = Aggregator.parse(by);
      rate = time.path("rate").asBoolean() ? RateOptions.DEFAULT : null;
      ObjectNode repeated = Json.object();
      repeated.put("start", from).put("end", to.isEmpty() ? null : to);
      repeated.set("timezone", orNull(time.path("timezone")));
      repeated.set("downsampler", downsampler(time.path("downsampler")));
      repeated.put("aggregator", by).put("rate", rate != null);
      echo.set("time", repeated);
      if (end <= start) {
        String message =
            "End time [" + end + "] must be greater than the start time [" + start + "]";
        throw wrong("time: " + message, message);
      }
    }

    private static ZoneId zone(String zone) {
      try {
        return ZoneId.of(zone);
      } catch (DateTimeException e) {
        throw new RequestException("no such timezone: " + zone, e);
      }
    }

    private JsonNode downsampler(JsonNode downsampler) {
      if (!downsampler.isObject()) {
        return Json.nothing();
      }
      String interval = Json.string(downsampler, "interval");
      String by = Json.string(downsampler, "aggregator");
      downsample = Downsample.parse(interval + "-" + by, dialect.queries().durations());
      ObjectNode repeated = Json.object().put("interval", interval).put("aggregator", by);
      repeated.set("fillPolicy", fillPolicy(downsampler));
      return repeated;
    }

    private Map<String, Filter> filters() {
      Map<String, Filter> filters = new HashMap<>();
      ArrayNode repeated = Json.array();
      for (JsonNode filter : json.path("filters")) {
        String id = Json.string(filter, "id");
        checkId(id, "filter", repeated.size());
        List<TagFilter> tags = new ArrayList<>();
        ArrayNode repeatedTags = Json.array();
        for (JsonNode tag : filter.path("tags")) {
          tags.add(tagFilter(tag, repeatedTags));
        }
        boolean explicit = filter.path("explicitTags").asBoolean();
        if (filters.put(id, new Filter(tags, explicit)) != null) {
          throw wrong("duplicated filter id: " + id);
        }
        ObjectNode one = Json.object().put("id", id);
        one.set("tags", repeatedTags);
        repeated.add(one.put("explicitTags", explicit));
      }
      echo.set("filters", json.path("filters").isArray() ? repeated : Json.nothing());
      return filters;
    }

    private static TagFilter tagFilter(JsonNode tag, ArrayNode repeated) {
      try {
        TagFilter filter = QueryBody.filter(tag);
        repeated.add(QueryEcho.of(filter));
        return filter;
      } catch (RequestException e) {
        throw wrong("filters: " + e.getMessage());
      }
    }

    private List<Metric> metrics(Map<String, Filter> filters) {
      List<Metric> metrics = new ArrayList<>();
      ArrayNode repeated = Json.array();
      if (json.path("metrics").isEmpty()) {
        throw wrong("missing or empty metrics");
      }
      for (JsonNode metric : json.path("metrics")) {
        metrics.add(metric(metric, filters, repeated));
      }
      echo.set("metrics", repeated);
      return metrics;
    }

    private Metric metric(JsonNode metric, Map<String, Filter> filters, ArrayNode repeated) {
      int index = repeated.size();
      String id = Json.string(metric, "id");
      checkId(id, "metric", index);
      String name = Json.string(metric, "metric");
      if (name.isEmpty()) {
        throw wrong("metric " + id + " has no metric's name", "Invalid metric at index " + index);
      }
      Query query = query(metric, id, name, index);
      Set<String> queryTags = new LinkedHashSet<>();
      String filterId = Json.string(metric, "filter");
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
      one.set("filter", orNull(metric.path("filter")));
      one.set("aggregator", orNull(metric.path("aggregator")));
      one.set("timeOffset", orNull(metric.path("timeOffset")));
      one.set("fillPolicy", fill);
      repeated.add(one);
      return new Metric(id, query, queryTags, fill.isNull() ? 0 : Json.decimal(fill, "value"));
    }

    private Query query(JsonNode metric, String id, String name, int index) {
      String own = Json.string(metric, "aggregator");
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
      for (JsonNode formula : json.path("expressions")) {
        int index = repeated.size();
        String id = Json.string(formula, "id");
        checkId(id, "expression", index);
        String text = Json.string(formula, "expr");
        if (text.isEmpty()) {
          throw wrong("expression " + id + " has no expr", "Invalid expression at index " + index);
        }
        ObjectNode one = Json.object().put("id", id).put("expr", text);
        Join join = join(formula.path("join"), id, one);
        JsonNode fill = fillPolicy(formula);
        one.set("fillPolicy", fill);
        repeated.add(one);
        formulas.add(
            new Formula(id, text, join, fill.isNull() ? null : Json.decimal(fill, "value")));
      }
      echo.set("expressions", json.path("expressions").isArray() ? repeated : Json.nothing());
      return formulas;
    }

    private static Join join(JsonNode join, String id, ObjectNode repeated) {
      Join read = Join.DEFAULT;
      if (join.isObject()) {
        String operator = Json.string(join, "operator").toLowerCase(Locale.ROOT);
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
                join.path("useQueryTags").asBoolean(),
                join.path("includeAggTags").asBoolean(true));
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
      for (JsonNode output : json.path("outputs")) {
        String id = Json.string(output, "id");
        String alias = Json.string(output, "alias");
        boolean known =
            metrics.stream().anyMatch(metric -> metric.id().equals(id))
                || formulas.stream().anyMatch(formula -> formula.id().equals(id));
        if (!known && !dialect.allowsUnknownOutputs()) {
          throw wrong("outputs: '" + id + "' is neither a metric nor an expression", "");
        }
        outputs.add(new Output(id, alias.isEmpty() ? null : alias));
        ObjectNode one = Json.object().put("id", id);
        one.set("alias", orNull(output.path("alias")));
        repeated.add(one);
      }
      echo.set("outputs", json.path("outputs").isArray() ? repeated : Json.nothing());
      if (outputs.isEmpty()) {
        formulas.forEach(formula -> outputs.add(new Output(formula.id(), null)));
      }
      if (outputs.isEmpty()) {
        metrics.forEach(metric -> outputs.add(new Output(metric.id(), null)));
      }
      return outputs;
    }

    private static JsonNode orNull(JsonNode value) {
      return value.isMissingNode() ? Json.nothing() : value;
    }

    /** A policy in the repeated request: with its value. */
    private static JsonNode fillPolicy(JsonNode of) {
      JsonNode policy = of.path("fillPolicy");
      if (!policy.isObject()) {
        return Json.nothing();
      }
      String name = Json.string(policy, "policy").toLowerCase(Locale.ROOT);
      double given = Json.decimal(policy, "value");
      double value =
          switch (name) {
            case "nan", "null", "none" -> Double.NaN;
            case "zero" -> 0;
            case "scalar" -> Double.isNaN(given) ? 0 : given;
            default ->
                throw wrong(
                    "no such fill policy: '" + name + "' (known: none, nan, null, zero, scalar)");
          };
      return Json.object().put("policy", name).put("value", value);
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
