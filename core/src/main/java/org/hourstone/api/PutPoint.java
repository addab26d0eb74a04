package org.hourstone.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * A point as it stands in the body of {@code /api/put}: fields may be missing.
 *
 * @param metric null if it isn't given
 * @param timestamp seconds or milliseconds; 0 if it isn't given
 * @param value as text, whatever it was in JSON; null if it isn't given
 * @param tags null if they aren't given; a value may be null, too
 */
record PutPoint(
    @Nullable String metric,
    long timestamp,
    @Nullable String value,
    @Nullable Map<String, @Nullable String> tags) {

  /** What an answer shows of the point. */
  ObjectNode toJson() {
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
    return json;
  }
}
