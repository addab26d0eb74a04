package org.hourstone.server;

import org.hourstone.api.Api;

/** What the connections of a server share. */
record Shared(
    Api api,
    Pages pages,
    Cors cors,
    Authentication authentication,
    boolean telnetAllowed,
    HttpMetrics metrics,
    RequestThreads threads,
    Connections connections,
    ServerOptions options) {
  boolean allowsTelnet() {
    return telnetAllowed || !authentication.isRequired();
  }

  /** The endpoint of a request, one of few. */
  String endpoint(String uri) {
    return pages.has(uri) ? "pages" : api.endpointOf(uri);
  }
}
