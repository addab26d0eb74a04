package org.hourstone.api.put;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * A point in the body of {@code /api/put} or the like; fields may be missing.
 *
 * @param metric null if it isn't given
 * @param timestamp seconds or milliseconds; 0 if it isn't given
 * @param value as text, whatever its JSON type; null if it isn't given
 * @param tags null if they aren't given; a value may be null, too
 * @param others further fields of the endpoint
 * @param fault why it can't be stored, with the place of the member that has another type than it
 *     should; null if all have the right one
 */
record PutPoint(
    @Nullable String metric,
    long timestamp,
    @Nullable String value,
    @Nullable Map<String, @Nullable String> tags,
    Map<String, JsonNode> others,
    @Nullable String fault) {

  /**
   * Why it can't be stored, whatever its names and its value are; null if nothing is missing.
   *
   * @param hasValue whether it has a value of its kind
   * @param allTags the default tag, if it has none
   */
  @Nullable String refusal(boolean hasValue, Map<String, @Nullable String> allTags) {
    if (fault != null) {
      return fault;
    }
    if (metric == null || metric.isEmpty()) {
      return "Metric name was empty";
    }
    if (timestamp <= 0) {
      return "Invalid timestamp";
    }
    if (!hasValue) {
      return "Empty value";
    }
    return allTags.isEmpty() ? "Missing tags" : null;
  }

  /**
   * A further field as text; empty if it isn't given.
   *
   * @throws RequestException if it is a list or an object
   */
  String text(String field) {
    JsonNode value = others.get(field);
    if (value != null && value.isContainerNode() && !value.isEmpty()) {
      throw new RequestException(field + ": not a text");
    }
    return value == null || value.isNull() ? "" : value.asText();
  }

  /** This point with other further fields. */
  PutPoint withOthers(Map<String, JsonNode> fields) {
    return new PutPoint(metric, timestamp, value, tags, fields, fault);
  }

  /**
   * The point in a response.
   *
   * @param fields the further fields, in their order
   */
  ObjectNode toJson(Collection<String> fields) {
    ObjectNode json = Json.object();
    if (metric != null) {
      json.put("metric", metric);
    }
    json.put("timestamp", timestamp);
    if (value != null) {
      json.put("value", value);
    }
    if (tags != null) {
      ObjectNode object = json.putObject("tags");
      tags.forEach(object::put);
    }
    for (String field : fields) {
      JsonNode other = others.get(field);
      if (other != null && !other.isNull()) {
        json.set(field, other);
      }
    }
    return json;
  }
}
