package org.hourstone.server;

import static java.util.stream.Collectors.joining;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.jspecify.annotations.Nullable;

/**
 * Puts and queries points in memory, and handshakes, for a short time, so that Java has compiled
 * this code before clients connect; otherwise their first requests would take ten times as long. It
 * uses its own thread and does not access the served database.
 */
final class WarmUp implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");
  private static final int ROUNDS = 20;
  private static final long MOST_NANOS = 2_000_000_000L;
  private static final int START = 1_500_000_000;
  private static final int POINTS = 50;
  private static final int HANDSHAKES = 5;

  static final List<String> QUERIES =
      List.of(
          "/api/query?start=1500000000&end=1500004000&m=sum:warm.up{host=*}",
          "/api/query?start=1500000000&end=1500004000&m=sum:1m-avg:rate:warm.up",
          "/api/query?start=1500000000&end=1500004000&m=avg:5m-max-nan:warm.up{host=wildcard(a*)}",
          "/api/suggest?type=metrics&q=w",
          "/api/search/lookup?m=warm.up");

  private volatile boolean closed;

  private final @Nullable Tls tls;

  private WarmUp(@Nullable Tls tls) {
    this.tls = tls;
  }

  /**
   * Begins.
   *
   * @param tls null without it
   */
  static WarmUp begin(@Nullable Tls tls) {
    WarmUp warmUp = new WarmUp(tls);
    Thread thread = new Thread(warmUp::run, "hourstone-warm-up");
    thread.setDaemon(true);
    thread.start();
    return warmUp;
  }

  private void run() {
    long end = System.nanoTime() + MOST_NANOS;
    try (Tsdb db = Tsdb.open("memory:")) {
      Api api = new Api(db);
      Telnet telnet = new Telnet(db);
      for (int i = 0; i < ROUNDS && !closed && System.nanoTime() < end; i++) {
        round(api, telnet, i);
        handshakes();
      }
    } catch (RuntimeException | SSLException e) {
      LOG.log(Level.DEBUG, "warming up has ended", e); // the server works without it
    }
  }

  private void handshakes() throws SSLException {
    for (int i = 0; tls != null && i < HANDSHAKES && !closed; i++) {
      tls.tryHandshake();
    }
  }

  /** Makes one request of each kind; its points follow those of the previous round. */
  static void round(Api api, Telnet telnet, int number) {
    var unused = telnet.respond("put warm.up " + (START + number) + " 1.5 host=b");
    try (ApiResponse put = api.respond(ApiCall.of("POST", "/api/put", points(number)))) {
      check(put);
    }
    for (String query : QUERIES) {
      try (ApiResponse answer = api.respond(ApiCall.of("GET", query, ""))) {
        check(answer);
      }
    }
  }

  private static void check(ApiResponse answer) {
    String body = answer.body();
    if (answer.status() >= 400) {
      throw new IllegalStateException(body);
    }
  }

  private static String points(int number) {
    return IntStream.range(0, POINTS)
        .mapToObj(
            i ->
                "{\"metric\":\"warm.up\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"host\":\"a\"}}"
                    .formatted(START + number * POINTS + i, i))
        .collect(joining(",", "[", "]"));
  }

  /** Ends it if it is still running. */
  @Override
  public void close() {
    closed = true;
  }
}
