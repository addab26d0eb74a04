package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;
import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.hourstone.testing.reference.Features;
import org.hourstone.testing.reference.RandomQuery;

/**
 * Queries, as bodies, as parameters and for points as text, with all that a request may ask for
 * besides.
 */
record QueryRequests(Draw draw, Written written) {
  private static final List<String> FORMS =
      List.of("body", "body", "parameters", "parameters", "ascii");

  /** For points as text. */
  static final String TEXT = "/q";

  /** Its parameters, as far as its points as text depend on them. */
  private static final Set<String> OF_TEXT = Set.of("start", "end", "m", "tsuid");

  private static final List<String> TIMES =
      List.of("number", "date", "date-in-seconds", "open-end", "text");
  private static final List<String> FLAGS =
      List.of("showTSUIDs", "noAnnotations", "globalAnnotations", "showQuery", "padding");
  private static final List<String> FORMS_OF_SERIES =
      List.of(
          "metric", "other-metric", "tsuids", "unknown-metric", "unknown-tag", "tags", "same-tag");

  static void declare(Features features) {
    features.know("query", FORMS);
    features.know("query", List.of("two-queries", "arrays"));
    features.know("time", TIMES);
    features.know("flag", FLAGS);
    features.know("of", FORMS_OF_SERIES);
  }

  /**
   * @param fills whether empty intervals may be filled, which is costly in a range that is too long
   */
  Request next(boolean fills) {
    ObjectNode request =
        new RandomQuery(draw.random(), draw.features(), written.points()).draw(written.metric());
    ArrayNode queries = (ArrayNode) request.get("queries");
    series((ObjectNode) queries.get(0));
    if (draw.feature(6, "query", "two-queries")) {
      ObjectNode second = queries.get(0).deepCopy();
      second.put("aggregator", draw.one(List.of("sum", "max", "none", "count", "avg")));
      if (draw.once(2)) {
        second.remove("downsample");
      }
      if (draw.once(2)) {
        series(second);
      }
      queries.add(second);
    }
    for (String name : FLAGS) {
      if (draw.feature(5, "flag", name)) {
        request.put(name, true);
      }
    }
    times(request);
    if (!fills) {
      queries.forEach(QueryRequests::leaveEmpty);
    }
    return inSomeForm(request);
  }

  /** A query as a body, as parameters or for points as text. */
  Request inSomeForm(ObjectNode request) {
    String form = draw.feature("query", FORMS);
    if (form.equals("body")) {
      boolean arrays = draw.feature(5, "query", "arrays");
      return Request.of(
          "query",
          "POST",
          "/api/query",
          arrays ? List.of(flag("arrays")) : List.of(),
          request.toString());
    }
    List<Request.Parameter> parameters = parameters(request);
    if (form.equals("ascii")) {
      parameters.removeIf(given -> !OF_TEXT.contains(given.name()));
      parameters.add(flag("ascii"));
      parameters.add(flag("nocache")); // else it may be the response to an earlier request
      return Request.get("query", TEXT, parameters);
    }
    return Request.get("query", "/api/query", parameters);
  }

  /** Which series are asked for. */
  private void series(ObjectNode query) {
    String form = draw.feature("of", draw.once(2) ? List.of("metric") : FORMS_OF_SERIES);
    switch (form) {
      case "other-metric" -> query.put("metric", written.other());
      case "unknown-metric" -> query.put("metric", written.metric() + ".not");
      case "unknown-tag" ->
          filters(query)
              .addObject()
              .put("type", draw.one(List.of("literal_or", "wildcard", "iliteral_or")))
              .put("tagk", draw.one(List.of("host", "nosuchtag")))
              .put("filter", "nosuch*value")
              .put("groupBy", draw.once(2));
      case "same-tag" ->
          filters(query)
              .addObject()
              .put("type", draw.one(List.of("not_literal_or", "wildcard", "literal_or")))
              .put("tagk", "host")
              .put("filter", draw.one(List.of("web01", "w*", "web01|db01")))
              .put("groupBy", draw.once(2));
      case "tsuids" -> {
        List<String> tsuids = new ArrayList<>(written.tsuids());
        Collections.shuffle(tsuids, draw.random());
        ArrayNode some = query.putArray("tsuids");
        tsuids.subList(0, 1 + draw.below(tsuids.size())).forEach(some::add);
        query.remove(List.of("metric", "filters", "explicitTags"));
      }
      case "tags" -> {
        query.remove(List.of("filters", "explicitTags"));
        query
            .putObject("tags")
            .put(
                "host",
                draw.one(List.of("*", "web01", "web01|db01", "w*1", "WEB*", "regexp(0[12]$)")));
      }
      default -> {}
    }
  }

  private static ArrayNode filters(ObjectNode query) {
    return query.has("filters") ? (ArrayNode) query.get("filters") : query.putArray("filters");
  }

  private void times(ObjectNode request) {
    String form = draw.feature("time", TIMES);
    switch (form) {
      case "date", "date-in-seconds" -> {
        date(request, "start", form.equals("date") ? "yyyy/MM/dd" : "yyyy/MM/dd-HH:mm:ss");
        if (draw.once(2)) {
          date(request, "end", "yyyy/MM/dd HH:mm");
        }
        sparse(request);
      }
      case "open-end" -> {
        request.remove("end");
        request.put("start", "30y-ago"); // points may be later than now
        request.path("queries").forEach(query -> ((ObjectNode) query).remove("downsample"));
      }
      case "text" -> {
        request.put("start", request.get("start").asText());
        request.put("end", request.get("end").asText());
      }
      default -> {}
    }
  }

  /** The range has become longer: not with intervals that were chosen for a shorter one. */
  private static void sparse(ObjectNode request) {
    for (JsonNode query : request.path("queries")) {
      if (query.path("downsample").asText().matches("\\d+(ms|s|m)c?-.*")) {
        ((ObjectNode) query).put("downsample", "6h-avg");
      }
    }
  }

  private static void leaveEmpty(JsonNode query) {
    if (query.has("downsample")) {
      String text = query.get("downsample").asText().replaceFirst("-(nan|null|zero)$", "");
      ((ObjectNode) query).put("downsample", text);
    }
  }

  private static void date(ObjectNode request, String field, String pattern) {
    long time = request.get(field).asLong();
    Instant instant = time > 0xFFFFFFFFL ? Instant.ofEpochMilli(time) : Instant.ofEpochSecond(time);
    request.put(
        field, DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC).format(instant));
  }

  private List<Request.Parameter> parameters(JsonNode request) {
    List<Request.Parameter> parameters = new ArrayList<>();
    parameters.add(parameter("start", request.get("start").asText()));
    if (request.has("end")) {
      parameters.add(parameter("end", request.get("end").asText()));
    }
    for (JsonNode query : request.get("queries")) {
      boolean ids = query.has("tsuids");
      parameters.add(parameter(ids ? "tsuid" : "m", expression(query)));
    }
    if (request.path("msResolution").asBoolean()) {
      parameters.add(flag("ms"));
    }
    for (String name : FLAGS) {
      if (request.has(name)) {
        parameters.add(
            flag(
                name.replace("TSUIDs", "_tsuids")
                    .replaceAll("([AQ])", "_$1")
                    .toLowerCase(Locale.ROOT)));
      }
    }
    if (request.has("timezone")) {
      parameters.add(parameter("tz", request.get("timezone").asText()));
    }
    if (draw.feature(5, "query", "arrays")) {
      parameters.add(flag("arrays"));
    }
    return parameters;
  }

  private String expression(JsonNode query) {
    List<String> parts = new ArrayList<>();
    parts.add(query.get("aggregator").asText());
    if (query.has("rate")) {
      parts.add("rate" + rateOptions(query.path("rateOptions")));
    }
    if (query.has("downsample")) {
      parts.add(query.get("downsample").asText());
    }
    if (draw.once(2)) {
      Collections.shuffle(parts.subList(1, parts.size()), draw.random());
    }
    if (query.has("explicitTags")) {
      parts.add("explicit_tags");
    }
    if (query.has("percentiles")) {
      parts.add("percentiles" + query.get("percentiles"));
    }
    if (query.has("showHistogramBuckets")) {
      parts.add("show-histogram-buckets");
    }
    if (query.has("preAggregate")) {
      parts.add("pre-agg");
    }
    if (query.has("rollupUsage")) {
      parts.add(query.get("rollupUsage").asText().toLowerCase(Locale.ROOT));
    }
    List<String> last = new ArrayList<>();
    if (query.has("tsuids")) {
      query.get("tsuids").forEach(tsuid -> last.add(tsuid.asText()));
      parts.add(String.join(",", last));
    } else {
      String grouping = filters(query, true);
      String others = filters(query, false);
      parts.add(
          query.get("metric").asText()
              + (grouping.equals("{}") && others.equals("{}") ? "" : grouping)
              + (others.equals("{}") ? "" : others));
    }
    return String.join(":", parts);
  }

  private static String rateOptions(JsonNode options) {
    if (options.isMissingNode()) {
      return "";
    }
    String text = options.path("dropResets").asBoolean() ? "dropcounter" : "counter";
    if (options.has("counterMax") || options.has("resetValue")) {
      text += "," + options.path("counterMax").asText();
    }
    if (options.has("resetValue")) {
      text += "," + options.path("resetValue").asText();
    }
    return "{" + text + "}";
  }

  private static String filters(JsonNode query, boolean groupBy) {
    List<String> pairs = new ArrayList<>();
    for (JsonNode filter : query.path("filters")) {
      if (filter.path("groupBy").asBoolean() == groupBy) {
        pairs.add(
            filter.get("tagk").asText()
                + "="
                + filter.get("type").asText()
                + "("
                + filter.get("filter").asText()
                + ")");
      }
    }
    if (groupBy) {
      query
          .path("tags")
          .properties()
          .forEach(t -> pairs.add(t.getKey() + "=" + t.getValue().asText()));
    }
    return "{" + String.join(",", pairs) + "}";
  }
}
