package org.hourstone.api.status;

import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /api/status} of OpenTSDB 2.5: whether the server serves, or is being stopped. */
public record StatusEndpoint(ServerInfo server) implements Endpoint {
  @Override
  public ApiResponse respond(ApiCall call) {
    return ApiResponse.ok(Json.object().put("status", of(server)));
  }

  public static String of(ServerInfo server) {
    return server.isStopping() ? "shutting-down" : "ok";
  }
}
