package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.annotation.Annotation;
import org.hourstone.internal.Json;

/**
 * The JSON of annotations in requests and responses; the stored JSON has another order of fields.
 */
final class AnnotationJson {
  private AnnotationJson() {}

  static ObjectNode of(Annotation annotation) {
    ObjectNode json = Json.object();
    json.put("tsuid", annotation.tsuid())
        .put("description", annotation.description())
        .put("notes", annotation.notes());
    Map<String, String> custom = annotation.custom();
    if (custom != null) {
      json.set("custom", hashed(custom));
    }
    return json.put("startTime", annotation.startTime()).put("endTime", annotation.endTime());
  }

  static ArrayNode of(List<Annotation> annotations) {
    ArrayNode array = Json.array();
    annotations.forEach(annotation -> array.add(of(annotation)));
    return array;
  }

  /** The annotation of a request; unknown fields are ignored. */
  static Annotation read(JsonNode json) {
    return new Annotation(
        Json.string(json, "tsuid"),
        Json.integer(json, "startTime"),
        Json.integer(json, "endTime"),
        Json.string(json, "description"),
        Json.string(json, "notes"),
        Json.strings(json, "custom"));
  }

  /** An object with its fields in the order of a HashMap, as in OpenTSDB's responses. */
  static ObjectNode hashed(Map<String, String> texts) {
    Map<String, String> map = new HashMap<>();
    texts.forEach(map::put); // one by one: the order depends on how it grew
    return Json.object(map);
  }
}
