package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;

/** {@code /api/annotation/bulk}: stores many annotations, or deletes those of a range. */
final class AnnotationBulkEndpoint implements Endpoint {
  /** A request to delete; times are texts, and the TSUIDs may be missing. */
  private record Range(JsonNode tsuids, boolean global, String start, String end) {}

  private final Tsdb db;

  AnnotationBulkEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    return switch (call.method()) {
      case "POST" -> save(RequestBody.array(call), false);
      case "PUT" -> save(RequestBody.array(call), true);
      case "DELETE" -> delete(call.body().isEmpty() ? ofParameters(call) : ofBody(call));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  /** Stores them one after the other; empty ones are not in the response. */
  private ApiAnswer save(JsonNode annotations, boolean overwrite) {
    List<Annotation> stored = new ArrayList<>();
    for (JsonNode json : annotations) {
      try {
        db.annotations().save(AnnotationJson.read(json), overwrite).ifPresent(stored::add);
      } catch (RequestException e) {
        throw new ApiException(
            ApiException.BAD_REQUEST, e.getMessage(), "Annotation error: " + json);
      }
    }
    return ApiAnswer.ok(AnnotationJson.of(stored));
  }

  private ApiAnswer delete(Range range) {
    if (range.start().isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing start time");
    }
    if (range.tsuids().isEmpty() && !range.global()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Missing the TSUIDs or global annotations flag");
    }
    long start = db.parseTime(range.start());
    long end = db.parseTime(range.end().isEmpty() ? "now" : range.end());
    long deleted = 0;
    for (JsonNode tsuid : range.tsuids()) {
      deleted += db.annotations().deleteOfSeries(tsuid.asText(), start, end);
    }
    if (range.global()) {
      deleted += db.annotations().deleteGlobal(start, end);
    }
    ObjectNode answer = Json.object();
    answer.set("tsuids", range.tsuids());
    return ApiAnswer.ok(
        answer
            .put("global", range.global())
            .put("startTime", start)
            .put("endTime", end)
            .put("totalDeleted", deleted));
  }

  private static Range ofBody(ApiCall call) {
    JsonNode json = RequestBody.object(call);
    JsonNode tsuids = json.path("tsuids");
    return new Range(
        tsuids.isArray() ? tsuids : Json.nothing(),
        json.path("global").asBoolean(),
        Json.string(json, "startTime"),
        Json.string(json, "endTime"));
  }

  private static Range ofParameters(ApiCall call) {
    JsonNode tsuids =
        call.parameter("tsuids")
            .<JsonNode>map(
                list -> {
                  ArrayNode array = Json.array();
                  Arrays.stream(list.split(",")).map(String::strip).forEach(array::add);
                  return array;
                })
            .orElse(Json.nothing());
    return new Range(
        tsuids,
        call.has("global"),
        call.parameter("start_time").orElse(""),
        call.parameter("end_time").orElse(""));
  }
}
