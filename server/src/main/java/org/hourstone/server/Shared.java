package org.hourstone.server;

import org.hourstone.api.Api;

/** The objects that the connections of a server share. */
record Shared(
    Api api,
    Pages pages,
    HostNames hosts,
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

  /** The endpoint of a request, one of a small fixed set. */
  String endpoint(String uri) {
    return pages.has(uri) ? "pages" : api.endpointOf(uri);
  }
}
