/**
 * The daemon's network: OpenTSDB's HTTP API and telnet-style protocol on one port, by Netty. {@link
 * org.hourstone.api} handles the requests; this package contains connections, framing, limits,
 * start and stop.
 *
 * <p>Network threads never wait: {@link org.hourstone.server.RequestThreads other threads}, a
 * bounded number with a bounded queue, handle the requests.
 */
@NullMarked
package org.hourstone.server;

import org.jspecify.annotations.NullMarked;
