package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.internal.Json;

/** {@code /api/version} and the older {@code /version}: the program that serves. */
public final class VersionEndpoint implements Endpoint {
  /** What OpenTSDB knows of its build, and Hourstone doesn't keep. */
  private static final String[] UNKNOWN = {"repo", "branch", "user"};

  /** The digits of a short revision. */
  private static final int SHORT = 7;

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
    Build build = server.build();
    String revision = build.revision();
    version
        .put("version", build.version())
        .put("host", server.host())
        .put("short_revision", revision.substring(0, Math.min(SHORT, revision.length())))
        .put("full_revision", revision)
        .put("repo_status", status(build))
        .put("timestamp", seconds(build.time()));
    for (String field : UNKNOWN) {
      version.put(field, "");
    }
    return ApiResponse.ok(version);
  }

  /** In OpenTSDB's words. */
  private static String status(Build build) {
    if (build.commit().isEmpty()) {
      return "";
    }
    return build.isModified() ? "MODIFIED" : "MINT";
  }

  private static String seconds(String time) {
    return time.isEmpty() ? "" : Long.toString(OffsetDateTime.parse(time).toEpochSecond());
  }

  /** The same for a telnet client, which only waits for a line. */
  public static String line(ServerInfo server) {
    return "hourstone " + server.build().version() + " on " + server.host() + "\n";
  }
}
