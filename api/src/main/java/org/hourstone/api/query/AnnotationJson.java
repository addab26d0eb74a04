package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.internal.Json;
import org.hourstone.internal.RecordFields;

/**
 * The JSON of annotations in requests and responses; the stored JSON has another order of fields.
 */
final class AnnotationJson {
  private static final RecordFields<Annotation> FIELDS =
      new RecordFields<>(Annotation.class, Map.of());
  private static final String ORDER = "tsuid description notes custom startTime endTime";

  private AnnotationJson() {}

  static ObjectNode of(Annotation annotation) {
    ObjectNode json = FIELDS.put(Json.object(), annotation, ORDER);
    if (annotation.custom() == null) {
      json.remove("custom");
    }
    return json;
  }

  static ArrayNode of(List<Annotation> annotations) {
    ArrayNode array = Json.array();
    annotations.forEach(annotation -> array.add(of(annotation)));
    return array;
  }

  /** The annotation of a request. */
  static Annotation read(BodyValue json) {
    return json.object(FIELDS.names()).record(FIELDS, Map.of());
  }
}
