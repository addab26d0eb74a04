package org.hourstone.api;

/** {@code /diediedie}, if a setting allows it: stops the daemon as SIGTERM does. */
final class StopEndpoint implements Endpoint {
  static final String REPLY = "Cleaning up and exiting now.\n";

  private final ServerInfo server;

  StopEndpoint(ServerInfo server) {
    this.server = server;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    server.stop();
    return ApiAnswer.plain(ApiAnswer.OK, REPLY);
  }
}
