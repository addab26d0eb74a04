package org.hourstone.api.status;

import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ServerInfo;

/** {@code /diediedie}, if a setting allows it: stops the daemon as SIGTERM does. */
public final class StopEndpoint implements Endpoint {
  public static final String REPLY = "Cleaning up and exiting now.\n";

  private final ServerInfo server;

  public StopEndpoint(ServerInfo server) {
    this.server = server;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    server.stop();
    return ApiResponse.plain(ApiResponse.OK, REPLY);
  }
}
