package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.HandlingRoom;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.endpoint.TsuidCheck;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.query.QueryLimitException;
import org.hourstone.series.MemoryLease;

/** {@code /api/annotation/bulk}: stores many annotations, or deletes those of a range. */
public final class AnnotationBulkEndpoint implements Endpoint {
  /** How many refusals an error lists, at most. */
  private static final int MOST_LISTED = 100;

  /** The memory of an annotation, and of its text in the response, for each of its bytes. */
  private static final int SIZE_IN_MEMORY = 8;

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
      case "POST", "PUT" ->
          BudgetedResponse.of(
              db,
              call,
              () -> "storing annotations",
              budget -> save(call, call.method().equals("PUT"), budget.memory()));
      case "DELETE" -> delete(call.body().isEmpty() ? ofParameters(call) : ofBody(call));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  /**
   * Stores them one after the other; empty ones are not in the response. One that can't be stored
   * does not affect the others, but for strict mode, in which it is the last.
   */
  private ApiResponse save(ApiCall call, boolean overwrite, MemoryLease memory) {
    List<BodyValue> annotations = RequestBody.array(call, bodies);
    List<Annotation> stored = new ArrayList<>();
    List<String> listed = new ArrayList<>();
    int refused = 0;
    for (BodyValue json : annotations) {
      String why;
      try {
        save(AnnotationJson.read(element(json)), overwrite, memory).ifPresent(stored::add);
        continue;
      } catch (QueryLimitException e) {
        throw new ApiException(
            ApiException.TOO_LARGE,
            "The annotations after " + json.place() + " were not stored",
            String.valueOf(e.getMessage()));
      } catch (ApiException e) {
        why = refused(call, json, e, e.details());
      } catch (RequestException e) {
        if (bodies.refusesAllPointsForOne()) {
          throw new ApiException(
              ApiException.BAD_REQUEST, e.getMessage(), "Annotation error: " + json.json());
        }
        why = refused(call, json, e, json.place() + ": " + e.getMessage());
      }
      refused++;
      if (listed.size() < MOST_LISTED) {
        listed.add(why);
      }
    }
    if (refused > 0) {
      return ApiResponse.error(
              ApiException.BAD_REQUEST,
              "%d of %d annotations can't be stored, the others are"
                  .formatted(refused, annotations.size()),
              String.join("; ", listed)
                  + (refused > MOST_LISTED ? "; and " + (refused - MOST_LISTED) + " more" : ""))
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

  /** The annotation now stored, which may be much larger than the request's. */
  private Optional<Annotation> save(Annotation wanted, boolean overwrite, MemoryLease memory) {
    return HandlingRoom.TEXTS.get(
        HandlingRoom.MOST_TEXT,
        () -> {
          try (MemoryLease large = memory.child()) {
            Optional<Annotation> now =
                db.annotations().save(wanted, overwrite, HandlingRoom.beyond(large::grow));
            now.ifPresent(
                each ->
                    memory.grow(
                        SIZE_IN_MEMORY * (long) Json.text(AnnotationJson.of(each)).length()));
            return now;
          }
        });
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
      deleted += inRoom(() -> db.annotations().deleteOfSeries(tsuid, start, end));
    }
    if (range.global()) {
      deleted += inRoom(() -> db.annotations().deleteGlobal(start, end));
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

  /** Those of some rows are read at a time; in between others have their turns. */
  private static int inRoom(Supplier<Integer> deletion) {
    return HandlingRoom.TEXTS.get(HandlingRoom.MOST_TEXT, deletion);
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
