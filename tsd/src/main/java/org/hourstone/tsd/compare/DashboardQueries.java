package org.hourstone.tsd.compare;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * The queries to OpenTSDB in a dashboard of Grafana, as its data source sends them: one request for
 * each target, with the dashboard's time range and the values that its variables have.
 */
final class DashboardQueries {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** {@code $name}, {@code ${name}}, {@code ${name:format}} and {@code [[name]]}. */
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(\\w+)|\\$\\{(\\w+)(?::\\w+)?\\}|\\[\\[(\\w+)(?::\\w+)?\\]\\]");

  private static final Pattern AGO = Pattern.compile("now-(\\d+)([smhdwy])");

  private static final Pattern FRACTION = Pattern.compile("\\d{0,9}\\.\\d{1,9}s");

  private static final String DEFAULT_START = "now-6h";

  private static final String DEFAULT_INTERVAL = "1m";

  private static final String LIBRARY_PANEL =
      "library panels, whose queries are not in the dashboard";

  private final RequestTimes times;
  private final RequestList list;
  private final Map<String, String> variables = new HashMap<>();

  DashboardQueries(RequestTimes times, RequestList list) {
    this.times = times;
    this.list = list;
  }

  /**
   * Adds the requests of a dashboard in the classic form or the form V2, whether it is a resource,
   * or was exported without one, or returned by Grafana's API.
   */
  void add(JsonNode file) {
    JsonNode returned = file.has("dashboard") ? file.path("dashboard") : file;
    JsonNode dashboard = returned.has("spec") ? returned.path("spec") : returned;
    boolean isV2 = dashboard.has("elements");
    for (JsonNode variable :
        isV2 ? dashboard.path("variables") : dashboard.path("templating").path("list")) {
      addVariable(isV2 ? variable.path("spec") : variable);
    }
    variables.put("__interval", DEFAULT_INTERVAL);
    try {
      JsonNode range = dashboard.path(isV2 ? "timeSettings" : "time");
      String start = time(range.path("from").asText(DEFAULT_START));
      String end = time(range.path("to").asText("now"));
      if (isV2) {
        addElements(dashboard.path("elements"), start, end);
      } else {
        addPanels(dashboard, start, end);
      }
    } catch (UnusableRequestException e) {
      list.skip(String.valueOf(e.getMessage()));
    }
  }

  private void addVariable(JsonNode variable) {
    JsonNode current = variable.path("current");
    JsonNode value = current.isTextual() ? current : current.path("value"); // a switch has a text
    if (!value.isMissingNode()) {
      variables.put(variable.path("name").asText(), value(value));
    }
  }

  private static String value(JsonNode value) {
    String text =
        value.isArray()
            ? StreamSupport.stream(value.spliterator(), false)
                .map(JsonNode::asText)
                .collect(joining("|"))
            : value.asText();
    return text.equals("$__all") ? "*" : text;
  }

  /** Grafana's {@code now-6h} is OpenTSDB's {@code 6h-ago}; its ISO dates are milliseconds. */
  private static String time(String text) {
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      return ago.group(1) + ago.group(2) + "-ago";
    }
    if (text.equals("now") || text.matches("\\d+")) {
      return text;
    }
    try {
      return String.valueOf(Instant.parse(text).toEpochMilli());
    } catch (DateTimeException e) {
      throw new UnusableRequestException("the dashboard's time " + text + " is not supported");
    }
  }

  private void addPanels(JsonNode parent, String start, String end) {
    for (JsonNode row : parent.path("rows")) {
      addPanels(row, start, end);
    }
    for (JsonNode panel : parent.path("panels")) {
      addPanels(panel, start, end); // of a row that is folded
      if (panel.has("libraryPanel") && !panel.has("targets")) {
        list.skip(LIBRARY_PANEL);
      }
      for (JsonNode target : panel.path("targets")) {
        JsonNode source =
            target.has("datasource") ? target.path("datasource") : panel.path("datasource");
        if (isOfOpenTsdb(source.path("type").asText(), target)) {
          boolean isHidden = target.path("hide").asBoolean();
          list.add(() -> request(target, isHidden, start, end));
        }
      }
    }
  }

  /** Adds the queries of panels of the form V2, in which the layout has only references to them. */
  private void addElements(JsonNode elements, String start, String end) {
    for (JsonNode element : elements) {
      if (element.path("kind").asText().equals("LibraryPanel")) {
        list.skip(LIBRARY_PANEL);
      }
      for (JsonNode panelQuery : element.path("spec").path("data").path("spec").path("queries")) {
        JsonNode settings = panelQuery.path("spec");
        JsonNode target = settings.path("query").path("spec");
        if (isOfOpenTsdb(source(settings.path("query")), target)) {
          boolean isHidden = settings.path("hidden").asBoolean() || target.path("hide").asBoolean();
          list.add(() -> request(target, isHidden, start, end));
        }
      }
    }
  }

  /** The type of a query's data source: its kind in v2alpha1, its group in later versions. */
  private static String source(JsonNode query) {
    String kind = query.path("kind").asText();
    return kind.equals("DataQuery") ? query.path("group").asText() : kind;
  }

  /**
   * @param type of the data source; empty for that which is the default
   */
  private static boolean isOfOpenTsdb(String type, JsonNode target) {
    return target.has("metric")
        && target.has("aggregator")
        && (type.isEmpty() || type.equals("opentsdb"));
  }

  private SafeRequest request(JsonNode target, boolean isHidden, String start, String end) {
    if (isHidden) {
      throw new UnusableRequestException("hidden in the dashboard");
    }
    ObjectNode query = JSON.createObjectNode();
    query.put("metric", filled(target.path("metric").asText()));
    query.put("aggregator", filled(target.path("aggregator").asText()));
    if (target.path("shouldComputeRate").asBoolean()) {
      query.put("rate", true).set("rateOptions", rate(target));
    }
    if (!target.path("disableDownsampling").asBoolean()) {
      String interval = filled(target.path("downsampleInterval").asText(""));
      String fill = filled(target.path("downsampleFillPolicy").asText("none"));
      query.put(
          "downsample",
          (interval.isEmpty() ? DEFAULT_INTERVAL : wholeInterval(interval))
              + "-"
              + filled(target.path("downsampleAggregator").asText("avg"))
              + (fill.equals("none") ? "" : "-" + fill));
    }
    addFilters(target, query);
    if (target.path("explicitTags").asBoolean()) {
      query.put("explicitTags", true);
    }
    ObjectNode body = JSON.createObjectNode();
    body.put("start", start).put("end", end).putArray("queries").add(query);
    return SafeRequest.query(body, times);
  }

  /** OpenTSDB has no fractions of a second, but milliseconds. */
  private static String wholeInterval(String interval) {
    return FRACTION.matcher(interval).matches()
        ? new BigDecimal(interval.substring(0, interval.length() - 1)).movePointRight(3).longValue()
            + "ms"
        : interval;
  }

  private void addFilters(JsonNode target, ObjectNode query) {
    if (!target.path("filters").isEmpty()) {
      ArrayNode filters = query.putArray("filters");
      for (JsonNode filter : target.path("filters")) {
        filters
            .addObject()
            .put("type", filter.path("type").asText())
            .put("tagk", filled(filter.path("tagk").asText()))
            .put("filter", filled(filter.path("filter").asText()))
            .put("groupBy", filter.path("groupBy").asBoolean());
      }
    } else if (!target.path("tags").isEmpty()) {
      ObjectNode tags = query.putObject("tags");
      for (Entry<String, JsonNode> tag : target.path("tags").properties()) {
        tags.put(filled(tag.getKey()), filled(tag.getValue().asText()));
      }
    }
  }

  /**
   * Grafana drops resets unless the user has said how to recognize them. It knows for which version
   * of OpenTSDB, the dashboard doesn't; all versions since 2.2 are sent this option.
   */
  private ObjectNode rate(JsonNode target) {
    boolean isCounter = target.path("isCounter").asBoolean();
    ObjectNode rate = JSON.createObjectNode().put("counter", isCounter);
    putNumber(rate, "counterMax", filled(target.path("counterMax").asText("")));
    putNumber(rate, "resetValue", filled(target.path("counterResetValue").asText("")));
    if (!rate.has("counterMax") && rate.path("resetValue").asLong() == 0) {
      rate.put("dropResets", true);
    }
    return rate;
  }

  private static void putNumber(ObjectNode rate, String field, String digits) {
    if (digits.matches("\\d{1,18}")) {
      rate.put(field, Long.parseLong(digits));
    }
  }

  /** A text with the values of its variables. */
  private String filled(String text) {
    return VARIABLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(variable(found)));
  }

  private String variable(MatchResult found) {
    String name =
        found.group(1) != null
            ? found.group(1)
            : found.group(2) != null ? found.group(2) : found.group(3);
    String value = variables.get(name);
    if (value == null) {
      throw new UnusableRequestException("variable " + name + " has no value in the dashboard");
    }
    return value;
  }
}
