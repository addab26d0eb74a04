package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /logs}: the latest lines of the server's log, the newest first. */
public final class LogsEndpoint implements Endpoint {
  private final ServerInfo server;

  public LogsEndpoint(ServerInfo server) {
    this.server = server;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    if (call.has("level")) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "The level of logging can't be changed by a request");
    }
    List<String> lines = server.recentLog();
    if (call.has("json")) {
      ArrayNode json = Json.array();
      lines.forEach(json::add);
      return ApiResponse.ok(json);
    }
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append('\n'));
    return ApiResponse.plain(ApiResponse.OK, text.toString());
  }
}
