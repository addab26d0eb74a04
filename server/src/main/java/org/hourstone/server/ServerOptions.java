package org.hourstone.server;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.internal.HeapRoom;
import org.hourstone.mirror.Mirror;

/**
 * The limits of a server.
 *
 * @param address the address to listen on; port 0 for any free port
 * @param maxConnections the maximum number of open connections; more are refused
 * @param maxLine the maximum number of bytes of a telnet line
 */
public record ServerOptions(
    InetSocketAddress address,
    int maxConnections,
    Bodies bodies,
    int maxLine,
    Requests requests,
    Patience patience) {
  /**
   * The bodies of HTTP requests.
   *
   * @param max the maximum number of bytes of a body, decompressed
   * @param memory the maximum number of bytes of all bodies that are received or handled at a time
   */
  public record Bodies(int max, long memory) {}

  /**
   * HTTP requests.
   *
   * @param threads the maximum number handled concurrently
   * @param waiting the maximum number that wait for a thread; more are refused
   */
  public record Requests(int threads, int waiting) {}

  /**
   * Time limits of waiting.
   *
   * @param ofResponses how long a client may take to accept more of a response
   * @param ofStopping how long stopping waits for the requests in progress
   */
  public record Patience(Duration ofResponses, Duration ofStopping) {}

  private static final int DEFAULT_MAX_BODY = 64 << 20;

  /** OpenTSDB's limit is 1,024, but it accepts longer lines that arrive in one piece. */
  private static final int MAX_LINE = 64 * 1024;

  private static final int WAITING_PER_THREAD = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * The options for the settings of a database; a quarter of the heap is for bodies.
   *
   * @throws IllegalArgumentException if the address to listen on is unknown, or the settings of the
   *     mirror are invalid
   */
  public static ServerOptions of(TsdbOptions options) {
    Mirror.check(options); // before a store is created
    String host = options.get(DaemonSettings.BIND);
    InetSocketAddress address = new InetSocketAddress(host, options.get(DaemonSettings.PORT));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          DaemonSettings.BIND.key() + "=" + host + ": unknown address",
          new UnknownHostException(host));
    }
    int connections = options.get(DaemonSettings.MAX_CONNECTIONS);
    long bodies = HeapRoom.bytes() / 4;
    int threads = options.get(DaemonSettings.HTTP_THREADS);
    return new ServerOptions(
        address,
        connections == 0 ? Integer.MAX_VALUE : connections,
        new Bodies(
            options.get(DaemonSettings.MAX_BODY).orElse((int) Math.min(DEFAULT_MAX_BODY, bodies)),
            bodies),
        MAX_LINE,
        new Requests(threads, WAITING_PER_THREAD * threads),
        new Patience(PATIENCE, PATIENCE));
  }
}
