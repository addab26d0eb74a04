package org.hourstone.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.hourstone.internal.Json;

/** A server in place of the other one of a mirror, which fails as a test wants it to. */
final class ScriptedPeer implements AutoCloseable {
  /** How a request fails. */
  enum Failure {
    STATUS_500(500, ""),
    BAD_GATEWAY(502, "<html>Bad Gateway</html>"),
    FORBIDDEN(403, "<html>blocked by a firewall</html>"),
    PAGE_OF_A_PROXY(400, "<html>Bad Request</html>"),
    UNEXPECTED(400, details("Unexpected exception")),
    CLOSED(0, ""),
    BUSY(503, "{\"error\":{\"code\":503,\"message\":\"busy\"}}"),
    TOO_MANY(429, ""),
    STORAGE(400, details("Storage exception: no region")),
    THROTTLED(400, details("Please throttle writes"));

    private final int status;
    private final String body;

    Failure(int status, String body) {
      this.status = status;
      this.body = body;
    }

    private static String details(String error) {
      return "{\"success\":0,\"failed\":1,\"errors\":[{\"datapoint\":{},\"error\":\"%s\"}]}"
          .formatted(error);
    }
  }

  /** A point of a request, as its metric, timestamp and value. */
  record Received(String metric, long timestamp, long value) {}

  private final HttpServer server;
  private final Failure failure;

  // Guarded by this.
  private final List<Received> accepted = new ArrayList<>();
  private Predicate<List<Received>> refuses = points -> false;
  private int requests;
  private CountDownLatch failed = new CountDownLatch(0);

  ScriptedPeer(Failure failure) throws IOException {
    this.failure = failure;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/put", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Requests with these points fail from now on.
   *
   * @param times is counted down by each of them
   */
  synchronized void refuse(Predicate<List<Received>> which, CountDownLatch times) {
    refuses = which;
    failed = times;
  }

  synchronized List<Received> accepted() {
    return List.copyOf(accepted);
  }

  /** How many requests there were. */
  synchronized int requests() {
    return requests;
  }

  static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private void handle(HttpExchange exchange) throws IOException {
    List<Received> points = new ArrayList<>();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    for (JsonNode each : Json.readWhole(body)) {
      points.add(
          new Received(
              each.path("metric").asText(),
              each.path("timestamp").asLong(),
              each.path("value").asLong()));
    }
    if (accept(points)) {
      exchange.sendResponseHeaders(204, -1);
    } else if (failure.status > 0) {
      byte[] text = failure.body.getBytes(UTF_8);
      exchange.sendResponseHeaders(failure.status, text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
    }
    exchange.close();
  }

  private synchronized boolean accept(List<Received> points) {
    requests++;
    boolean isAccepted = !refuses.test(points);
    if (isAccepted) {
      accepted.addAll(points);
    } else {
      failed.countDown();
    }
    return isAccepted;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
