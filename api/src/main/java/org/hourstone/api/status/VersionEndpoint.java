package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /api/version} and the older {@code /version}: the program that serves. */
public final class VersionEndpoint implements Endpoint {
  /** What OpenTSDB knows of its build, and Hourstone doesn't keep. */
  private static final String[] UNKNOWN = {
    "short_revision", "full_revision", "repo", "repo_status", "branch", "user", "timestamp"
  };

  private final ServerInfo server;

  public VersionEndpoint(ServerInfo server) {
    this.server = server;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    boolean old = call.path().equals("/version");
    if (old && !call.has("json")) {
      return ApiResponse.plain(ApiResponse.OK, line(server));
    }
    ObjectNode version = Json.object();
    version.put("version", server.version()).put("host", server.host());
    for (String field : UNKNOWN) {
      version.put(field, "");
    }
    return ApiResponse.ok(version);
  }

  /** The same for a telnet client, which only waits for a line. */
  public static String line(ServerInfo server) {
    return "hourstone " + server.version() + " on " + server.host() + "\n";
  }
}
