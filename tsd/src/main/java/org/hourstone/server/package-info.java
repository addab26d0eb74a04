/**
 * The daemon's network: OpenTSDB's HTTP API and telnet-style protocol on one port, by Netty. What
 * requests mean is left to {@link org.hourstone.api}; here are connections, framing, bounds and the
 * order of starting and stopping.
 *
 * <p>Network threads never wait: requests are handled by {@link org.hourstone.server.RequestThreads
 * other threads}, of which there is a bounded number with a bounded queue.
 */
@NullMarked
package org.hourstone.server;

import org.jspecify.annotations.NullMarked;
