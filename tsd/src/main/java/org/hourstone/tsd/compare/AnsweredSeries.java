package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A series of an answer.
 *
 * @param name its metric, tags and aggregated tags, whatever their order
 * @param points values by time, in the order of the answer
 * @param rest everything else
 */
record AnsweredSeries(String name, Map<String, JsonNode> points, ObjectNode rest) {
  /** Seconds have no more digits until the year 2286. */
  private static final int DIGITS_OF_SECONDS = 10;

  /** The series of an answer, which is an array of them. */
  static List<AnsweredSeries> of(JsonNode answer) {
    List<AnsweredSeries> all = new ArrayList<>();
    for (JsonNode each : answer) {
      if (each instanceof ObjectNode series && (series.has("metric") || series.has("tsuid"))) {
        all.add(of(series.deepCopy()));
      } // the others are statistics
    }
    return all;
  }

  private static AnsweredSeries of(ObjectNode series) {
    boolean isNamed = series.has("metric");
    String name =
        isNamed
            ? series.path("metric").asText() + " " + tags(series)
            : series.path("tsuid").asText();
    Map<String, JsonNode> points = new LinkedHashMap<>();
    JsonNode dps = series.path("dps");
    if (dps.isObject()) {
      for (Entry<String, JsonNode> point : dps.properties()) {
        points.put(point.getKey(), point.getValue());
      }
    } else if (dps.isArray()) {
      dps.forEach(point -> points.put(point.path(0).asText(), point.path(1)));
    } else if (series.has("timestamp")) {
      points.put(series.path("timestamp").asText(), series.path("value"));
    }
    // UIDs differ between servers that were not copied; the others are compared already.
    series.remove(
        List.of(
            "metric",
            "tags",
            "aggregateTags",
            "aggregatedTags",
            "tsuid",
            "tsuids",
            "dps",
            "timestamp",
            "value",
            "query",
            "stats"));
    return new AnsweredSeries(name, points, series);
  }

  private static String tags(JsonNode series) {
    Map<String, String> tags = new TreeMap<>();
    for (Entry<String, JsonNode> tag : series.path("tags").properties()) {
      tags.put(tag.getKey(), tag.getValue().asText());
    }
    TreeSet<String> aggregated = new TreeSet<>();
    JsonNode names =
        series.has("aggregateTags") ? series.path("aggregateTags") : series.path("aggregatedTags");
    names.forEach(name -> aggregated.add(name.asText()));
    String text = tags.toString().replace(", ", ",");
    return aggregated.isEmpty() ? text : text + " aggregated over " + String.join(", ", aggregated);
  }

  /** A time of a point, readable. */
  static String time(String number) {
    if (!number.matches("\\d{1,15}")) {
      return number;
    }
    long value = Long.parseLong(number);
    return (number.length() <= DIGITS_OF_SECONDS
            ? Instant.ofEpochSecond(value)
            : Instant.ofEpochMilli(value))
        .toString();
  }
}
