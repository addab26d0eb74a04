package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hourstone.testing.reference.Features;

/** Annotations, global ones and of series, one by one and many at once. */
record AnnotationRequests(Draw draw, Written written) {
  private static final List<String> FORMS =
      List.of(
          "get",
          "get-body",
          "list",
          "change",
          "change-by-parameters",
          "delete",
          "bulk",
          "bulk-delete");

  static void declare(Features features) {
    features.know("annotation", FORMS);
    features.know("annotation", List.of("global", "of-series", "milliseconds", "POST", "PUT"));
  }

  Request next() {
    ObjectNode id = id();
    return switch (draw.feature("annotation", FORMS)) {
      case "get" -> {
        long start = id.get("startTime").asLong();
        Request.Parameter time = parameter("start_time", start);
        yield id.has("tsuid")
            ? Request.get(
                "annotation", "/api/annotation", time, parameter("tsuid", id.get("tsuid").asText()))
            : Request.get("annotation", "/api/annotation", time);
      }
      case "get-body" ->
          Request.of("annotation", "GET", "/api/annotation", List.of(), id.toString());
      case "list" ->
          Request.get(
              "annotation",
              "/api/annotations",
              parameter("start_time", written.note() - draw.below(10)),
              parameter("end_time", written.note() + draw.below(100)));
      case "change" -> {
        fill(id);
        yield Request.of("annotation", method(), "/api/annotation", List.of(), id.toString());
      }
      case "change-by-parameters" ->
          Request.get(
              "annotation",
              "/api/annotation",
              parameter("start_time", written.note() + draw.below(20)),
              parameter("description", "by parameters"),
              parameter("method_override", draw.one(List.of("post", "put"))));
      case "delete" ->
          Request.of("annotation", "DELETE", "/api/annotation", List.of(), id.toString())
              .removing(
                  Request.of("annotation", "GET", "/api/annotation", List.of(), id.toString()));
      case "bulk" -> {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        Set<JsonNode> ids = new HashSet<>(); // it fails if two of them change one annotation
        for (int i = draw.below(5); i >= 0; i--) {
          ObjectNode next = id();
          if (ids.add(next.deepCopy())) {
            fill(next);
            all.add(next);
          }
        }
        yield Request.of("annotation", method(), "/api/annotation/bulk", List.of(), all.toString());
      }
      default -> bulkDelete();
    };
  }

  /** Deletes all of a range that no other request of these is about. */
  private Request bulkDelete() {
    long from = written.note() + 1001; // 1000 would divide 1000
    ArrayNode notes = JsonNodeFactory.instance.arrayNode();
    for (int i = draw.below(3); i >= 0; i--) {
      notes.addObject().put("startTime", from + i).put("description", "to be deleted");
    }
    Request put =
        Request.of("annotation", "POST", "/api/annotation/bulk", List.of(), notes.toString());
    String range =
        "{\"global\":true,\"startTime\":\"%d\",\"endTime\":\"%d\"}".formatted(from, from + 100);
    return Request.of("annotation", "DELETE", "/api/annotation/bulk", List.of(), range)
        .after(put)
        .removing(
            Request.of("annotation", "GET", "/api/annotation", List.of(), notes.get(0).toString()));
  }

  private String method() {
    return draw.feature("annotation", List.of("POST", "PUT"));
  }

  private ObjectNode id() {
    ObjectNode id = JsonNodeFactory.instance.objectNode();
    boolean global = draw.once(2);
    draw.features().count("annotation", global ? "global" : "of-series");
    long start = (global ? written.note() : written.first() / 1000) + draw.below(20);
    boolean millis = draw.feature(4, "annotation", "milliseconds");
    id.put("startTime", millis ? start * 1000 + 1 + draw.below(3) : start);
    if (!global) {
      id.put("tsuid", draw.one(written.tsuids()));
    }
    return id;
  }

  private void fill(ObjectNode note) {
    for (String field : List.of("description", "notes")) {
      if (draw.once(2)) {
        note.put(field, draw.one(List.of("", "one", "two \"é\"")));
      }
    }
    if (draw.once(3)) {
      note.put("endTime", note.get("startTime").asLong() + draw.below(100));
    }
    if (draw.once(4)) {
      note.putObject("custom").put("key", Integer.toString(draw.below(10)));
    }
  }
}
