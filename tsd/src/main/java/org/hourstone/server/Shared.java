package org.hourstone.server;

import org.hourstone.api.Api;

/** What the connections of a server share. */
record Shared(
    Api api,
    Pages pages,
    Cors cors,
    RequestThreads threads,
    Connections connections,
    ServerOptions options) {}
