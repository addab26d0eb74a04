package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.query.RunningQuery;

/** {@code /api/query/running}: lists the running queries, and cancels one by its id. */
public final class RunningQueriesEndpoint implements Endpoint {
  private final Tsdb db;

  public RunningQueriesEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "GET" -> ApiResponse.ok(list(db));
      case "DELETE" -> end(call.required("id"));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  static ArrayNode list(Tsdb db) {
    ArrayNode list = Json.array();
    for (RunningQuery query : db.runningQueries().list()) {
      list.add(
          Json.object()
              .put("id", query.id())
              .put("query", query.text())
              .put("started", query.started().toEpochMilli())
              .put("rows", query.rows())
              .put("bytes", query.bytes())
              .put("points", query.points())
              .put("series", query.series())
              .put("memoryBytes", query.memoryBytes()));
    }
    return list;
  }

  private ApiResponse end(String id) {
    if (!id.matches("[0-9]{1,18}")) {
      throw new ApiException(ApiException.BAD_REQUEST, "not the id of a query: '" + id + "'");
    }
    if (!db.runningQueries().kill(Long.parseLong(id), "ended by /api/query/running")) {
      throw new ApiException(ApiException.NOT_FOUND, "no query runs with the id " + id);
    }
    return ApiResponse.noContent();
  }
}
