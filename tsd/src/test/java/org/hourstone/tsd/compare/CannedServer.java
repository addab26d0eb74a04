package org.hourstone.tsd.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A server with an answer for each path; it breaks the connection off for all others. */
final class CannedServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Canned> answers = new ConcurrentHashMap<>();

  private record Canned(int status, String body) {}

  CannedServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  void answers(String path, int status, String body) {
    answers.put(path, new Canned(status, body));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Canned canned = answers.get(exchange.getRequestURI().getPath());
      if (canned != null) {
        byte[] body = canned.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(canned.status(), body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  /** Its URL. */
  @Override
  public String toString() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
