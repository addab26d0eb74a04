package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /api/admin/reload}: the server reads its accounts and its certificate again. */
public final class ReloadEndpoint implements Endpoint {
  private final ServerInfo server;

  public ReloadEndpoint(ServerInfo server) {
    this.server = server;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    try {
      ObjectNode response = Json.object();
      server.reload().forEach(response.putArray("reloaded")::add);
      return ApiResponse.ok(response);
    } catch (IllegalArgumentException e) {
      throw new ApiException(
          ApiException.CONFLICT, "Nothing is reloaded", String.valueOf(e.getMessage()));
    }
  }
}
