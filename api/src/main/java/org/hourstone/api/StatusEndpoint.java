package org.hourstone.api;

import org.hourstone.internal.Json;

/** {@code /api/status} of OpenTSDB 2.5: whether the server serves, or is being stopped. */
record StatusEndpoint(ServerInfo server) implements Endpoint {
  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!call.method().equals("GET")) {
      throw ApiException.methodNotAllowed(call);
    }
    return ApiAnswer.ok(Json.object().put("status", of(server)));
  }

  static String of(ServerInfo server) {
    return server.isStopping() ? "shutting-down" : "ok";
  }
}
