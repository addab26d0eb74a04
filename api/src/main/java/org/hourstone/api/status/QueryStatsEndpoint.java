package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/**
 * {@code /api/stats/query} and {@code /api/stats/region_clients}, for programs that expect their
 * shapes. No client of HBase reports its counters.
 */
public final class QueryStatsEndpoint implements Endpoint {
  public static final String QUERY = "/api/stats/query";
  public static final String REGION_CLIENTS = "/api/stats/region_clients";

  private final Tsdb db;
  private final CompletedQueries completed;

  public QueryStatsEndpoint(Tsdb db, CompletedQueries completed) {
    this.db = db;
    this.completed = completed;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    if (call.path().equals(REGION_CLIENTS)) {
      return ApiResponse.ok(Json.array());
    }
    ObjectNode stats = Json.object();
    stats.set("running", RunningQueriesEndpoint.list(db));
    stats.set("completed", completed.json());
    return ApiResponse.ok(stats);
  }
}
