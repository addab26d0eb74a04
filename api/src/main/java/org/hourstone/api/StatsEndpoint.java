package org.hourstone.api;

/** {@code /api/stats} and the older {@code /stats}: counters and gauges. */
final class StatsEndpoint implements Endpoint {
  private final Statistics statistics;

  StatsEndpoint(Statistics statistics) {
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
