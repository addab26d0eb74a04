package org.hourstone.api.influx;

import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /ping} and {@code /health}: whether the server serves. The store is not asked. */
public record PingEndpoint(ServerInfo server) implements Endpoint {
  @Override
  public ApiResponse respond(ApiCall call) {
    if (call.path().equals("/health")) {
      return ApiResponse.ok(
          Json.object()
              .put("name", "hourstone")
              .put("message", "takes writes")
              .put("status", "pass")
              .put("version", server.build().version()));
    }
    boolean verbose =
        call.parameter("verbose").filter(v -> !v.equals("false") && !v.equals("0")).isPresent();
    return verbose
        ? ApiResponse.ok(Json.object().put("version", server.build().version()))
        : ApiResponse.noContent();
  }
}
