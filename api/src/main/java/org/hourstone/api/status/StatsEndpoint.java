package org.hourstone.api.status;

import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.Statistics;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** {@code /api/stats} and the older {@code /stats}: counters and gauges. */
public final class StatsEndpoint implements Endpoint {
  private final Statistics statistics;

  public StatsEndpoint(Statistics statistics) {
    this.statistics = statistics;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    boolean old = call.path().equals("/stats");
    return old && !call.has("json")
        ? ApiResponse.plain(ApiResponse.OK, statistics.lines())
        : ApiResponse.ok(statistics.json());
  }
}
