package org.hourstone.testing.reference;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One element of an answer.
 *
 * @param tags those with one value
 * @param aggregateTags the names of those with several
 * @param points in order, as {@code time=value}, both as they are written, but doubles as Java does
 */
record Result(
    String metric, Map<String, String> tags, Set<String> aggregateTags, List<String> points) {

  static Result of(
      String metric,
      List<Series> group,
      NavigableMap<Long, Number> values,
      boolean milliseconds,
      boolean nulls) {
    Map<String, String> tags = new TreeMap<>();
    Set<String> aggregateTags = new TreeSet<>();
    for (Series series : group) {
      series
          .tags()
          .forEach(
              (tagk, tagv) -> {
                String other = tags.putIfAbsent(tagk, tagv);
                if (other != null && !other.equals(tagv)) {
                  aggregateTags.add(tagk);
                }
              });
    }
    tags.keySet().removeAll(aggregateTags);
    List<String> points = new ArrayList<>();
    values.forEach(
        (time, value) ->
            points.add((milliseconds ? time : time / 1000) + "=" + text(value, nulls)));
    return new Result(metric, tags, aggregateTags, points);
  }

  private static String text(Number value, boolean nulls) {
    double number = value.doubleValue();
    if (Double.isInfinite(number)) {
      throw new ArithmeticException("Got Infinity");
    }
    return Double.isNaN(number) ? (nulls ? "null" : "\"NaN\"") : value.toString();
  }

  static void declare(Features features) {
    features.know(
        "answer",
        List.of(
            "infinite",
            "several-series",
            "no-points",
            "NaN",
            "null",
            "integer",
            "double",
            "integer-and-double",
            "same-second"));
  }

  /** Reports the features of this result. */
  void tell(Consumer<String> seen) {
    boolean integers = points.stream().anyMatch(point -> point.matches("\\d+=-?\\d+"));
    boolean doubles = points.stream().anyMatch(point -> point.matches("\\d+=-?\\d+\\..*"));
    List<String> times = points.stream().map(point -> point.replaceFirst("=.*", "")).toList();
    Map.of(
            "several-series",
            !aggregateTags.isEmpty(),
            "no-points",
            points.isEmpty(),
            "NaN",
            points.stream().anyMatch(point -> point.endsWith("NaN\"")),
            "null",
            points.stream().anyMatch(point -> point.endsWith("null")),
            "integer",
            integers,
            "double",
            doubles,
            "integer-and-double",
            integers && doubles,
            "same-second",
            times.stream().distinct().count() < times.size())
        .forEach(
            (feature, there) -> {
              if (there) {
                seen.accept(feature);
              }
            });
  }

  /** How another result differs. */
  String difference(Result other) {
    if (!metric.equals(other.metric)
        || !tags.equals(other.tags)
        || !aggregateTags.equals(other.aggregateTags)) {
      return other + " and not " + this;
    }
    for (int i = 0; i < Math.min(points.size(), other.points.size()); i++) {
      if (!points.get(i).equals(other.points.get(i))) {
        return other.points.get(i) + " and not " + points.get(i) + " in " + this;
      }
    }
    return other.points.size() + " points and not those of " + this;
  }

  /** The elements of an answer in JSON. */
  static List<Result> parse(String json) throws IOException {
    List<Result> results = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      expect(JsonToken.START_ARRAY, parser.nextToken());
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        results.add(parse(parser));
      }
    }
    return results;
  }

  private static void expect(JsonToken token, JsonToken found) {
    if (token != found) {
      throw new AssertionError(found + " where " + token + " is expected");
    }
  }

  private static Result parse(JsonParser parser) throws IOException {
    String metric = "";
    Map<String, String> tags = new TreeMap<>();
    Set<String> aggregateTags = new TreeSet<>();
    List<String> points = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "metric" -> metric = parser.getText();
        case "tags" -> members(parser).forEach(tag -> tags.put(tag.getKey(), tag.getValue()));
        case "aggregateTags" -> {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            aggregateTags.add(parser.getText());
          }
        }
        case "dps" -> members(parser).forEach(p -> points.add(p.getKey() + "=" + p.getValue()));
        default -> parser.skipChildren();
      }
    }
    return new Result(metric, tags, aggregateTags, points);
  }

  private static List<Map.Entry<String, String>> members(JsonParser parser) throws IOException {
    List<Map.Entry<String, String>> members = new ArrayList<>();
    expect(JsonToken.START_OBJECT, parser.currentToken());
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      boolean point = Character.isDigit(name.charAt(0));
      JsonToken token = parser.nextToken();
      String quote = token == JsonToken.VALUE_STRING && point ? "\"" : "";
      // Java 17 may have more digits for the same double.
      String text =
          token == JsonToken.VALUE_NUMBER_FLOAT
              ? Double.toString(parser.getDoubleValue())
              : parser.getText();
      members.add(Map.entry(name, quote + text + quote));
    }
    return members;
  }
}
