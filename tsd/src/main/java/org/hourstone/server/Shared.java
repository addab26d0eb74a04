package org.hourstone.server;

import org.hourstone.api.Api;

/** What the connections of a server share. */
record Shared(
    Api api,
    Pages pages,
    Cors cors,
    HttpMetrics metrics,
    RequestThreads threads,
    Connections connections,
    ServerOptions options) {
  /** The endpoint of a request, one of few. */
  String endpoint(String uri) {
    return pages.has(uri) ? "pages" : api.endpointOf(uri);
  }
}
