package org.hourstone.api.query;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.endpoint.TsuidCheck;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;

/** {@code /api/annotation/bulk}: stores many annotations, or deletes those of a range. */
public final class AnnotationBulkEndpoint implements Endpoint {
  /** How many refusals an error lists, at most. */
  private static final int MOST_LISTED = 100;

  /** The members of a request to delete. */
  private static final Set<String> RANGE = Set.of("tsuids", "global", "startTime", "endTime");

  /** A request to delete; times are texts, and the TSUIDs may be missing. */
  private record Range(BodyValue tsuids, boolean global, String start, String end) {}

  private final Tsdb db;
  private final BodyDialect bodies;
  private final Refusals refusals;
  private final TsuidCheck tsuids;

  /**
   * @param refusals counts the annotations that are not stored
   */
  public AnnotationBulkEndpoint(Tsdb db, ApiOptions options, Refusals refusals) {
    this.db = db;
    this.refusals = refusals;
    this.bodies = options.requests().bodies();
    this.tsuids = new TsuidCheck(options.keys());
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "POST" -> save(call, false);
      case "PUT" -> save(call, true);
      case "DELETE" -> delete(call.body().isEmpty() ? ofParameters(call) : ofBody(call));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  /**
   * Stores them one after the other; empty ones are not in the response. One that can't be stored
   * does not affect the others, but for strict mode, in which it is the last.
   */
  private ApiResponse save(ApiCall call, boolean overwrite) {
    List<BodyValue> annotations = RequestBody.array(call, bodies);
    List<Annotation> stored = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (BodyValue json : annotations) {
      try {
        db.annotations().save(AnnotationJson.read(element(json)), overwrite).ifPresent(stored::add);
      } catch (ApiException e) {
        refused.add(refused(call, json, e, e.details()));
      } catch (RequestException e) {
        if (bodies.refusesAllPointsForOne()) {
          throw new ApiException(
              ApiException.BAD_REQUEST, e.getMessage(), "Annotation error: " + json.json());
        }
        refused.add(refused(call, json, e, json.place() + ": " + e.getMessage()));
      }
    }
    if (!refused.isEmpty()) {
      return ApiResponse.error(
              ApiException.BAD_REQUEST,
              "%d of %d annotations can't be stored, the others are"
                  .formatted(refused.size(), annotations.size()),
              listed(refused))
          .counted();
    }
    return ApiResponse.ok(AnnotationJson.of(stored));
  }

  /** Counts an annotation that is not stored; returns the reason. */
  private String refused(ApiCall call, BodyValue json, RuntimeException e, String why) {
    refusals.write(
        RefusalReason.of(e), call.client().client(), why, () -> json.json().toString(), e);
    return why;
  }

  private static BodyValue element(BodyValue json) {
    if (!json.json().isObject()) {
      throw json.wrong("not an object");
    }
    return json;
  }

  private static String listed(List<String> refused) {
    int more = refused.size() - MOST_LISTED;
    return refused.stream().limit(MOST_LISTED).collect(joining("; "))
        + (more > 0 ? "; and " + more + " more" : "");
  }

  private ApiResponse delete(Range range) {
    if (range.start().isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing start time");
    }
    if (range.tsuids().texts().isEmpty() && !range.global()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Missing the TSUIDs or global annotations flag");
    }
    if (!bodies.takesUnknownMembers()) {
      range.tsuids().elements().forEach(each -> tsuids.check(each.text(), each.place()));
    }
    long start = db.parseTime(range.start());
    long end = db.parseTime(range.end().isEmpty() ? "now" : range.end());
    long deleted = 0;
    for (String tsuid : range.tsuids().texts()) {
      deleted += db.annotations().deleteOfSeries(tsuid, start, end);
    }
    if (range.global()) {
      deleted += db.annotations().deleteGlobal(start, end);
    }
    ObjectNode response = Json.object();
    response.set("tsuids", range.tsuids().json());
    return ApiResponse.ok(
        response
            .put("global", range.global())
            .put("startTime", start)
            .put("endTime", end)
            .put("totalDeleted", deleted));
  }

  private Range ofBody(ApiCall call) {
    BodyValue json = RequestBody.object(call, bodies, RANGE);
    return new Range(
        json.member("tsuids"),
        json.member("global").flag(false),
        json.member("startTime").text(),
        json.member("endTime").naming().text());
  }

  private Range ofParameters(ApiCall call) {
    ObjectNode json = Json.object();
    call.parameter("tsuids")
        .ifPresent(
            list -> {
              ArrayNode array = json.putArray("tsuids");
              Arrays.stream(list.split(",")).map(String::strip).forEach(array::add);
            });
    return new Range(
        BodyValue.of(json, "", "", bodies).member("tsuids"),
        call.has("global"),
        call.parameter("start_time").orElse(""),
        call.parameter("end_time").orElse(""));
  }
}
