package org.hourstone.api.status;

import org.hourstone.api.request.ApiAnswer;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.Endpoint;
import org.hourstone.api.request.Statistics;
/** {@code /api/stats} and the older {@code /stats}: counters and gauges. */
public final class StatsEndpoint implements Endpoint {
  private final Statistics statistics;

  public StatsEndpoint(Statistics statistics) {
    this.statistics = statistics;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    boolean old = call.path().equals("/stats");
    if (!old && !call.method().equals("GET") && !call.method().equals("POST")) {
      throw ApiException.methodNotAllowed(call);
    }
    return old && !call.has("json")
        ? ApiAnswer.plain(ApiAnswer.OK, statistics.lines())
        : ApiAnswer.ok(statistics.json());
  }
}
