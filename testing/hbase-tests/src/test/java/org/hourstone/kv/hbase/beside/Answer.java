package org.hourstone.kv.hbase.beside;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was answered to a request, without what has no order of its own: series stand by their TSUID
 * or, without one, by their text; lists of texts are sorted.
 *
 * @param status of HTTP
 * @param body null's node if there is none
 */
record Answer(int status, JsonNode body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Answer of(int status, String body) {
    try {
      return new Answer(status, body.isEmpty() ? JSON.nullNode() : sorted(JSON.readTree(body)));
    } catch (JsonProcessingException e) {
      throw new AssertionError("status " + status + " with what is no JSON: " + body, e);
    }
  }

  private static JsonNode sorted(JsonNode node) {
    if (node.isArray()) {
      List<JsonNode> parts = new ArrayList<>();
      node.forEach(part -> parts.add(sorted(part)));
      parts.sort(
          Comparator.<JsonNode, String>comparing(part -> part.path("tsuids").toString())
              .thenComparing(JsonNode::toString));
      return JSON.createArrayNode().addAll(parts);
    }
    if (node.isObject()) {
      Map<String, JsonNode> fields = new TreeMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
      return JSON.createObjectNode().setAll(fields);
    }
    return node;
  }

  /** The points of all series together, by their times; none if it is an error. */
  Map<Long, Double> points() {
    Map<Long, Double> points = new TreeMap<>();
    for (JsonNode series : body) {
      series
          .path("dps")
          .properties()
          .forEach(point -> points.put(Long.valueOf(point.getKey()), point.getValue().asDouble()));
    }
    return points;
  }
}
