package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          byte[] answer =
              (exchange.getRequestURI() + " " + new String(body, US_ASCII).repeat(10_000))
                  .getBytes(US_ASCII);
          boolean chunks = exchange.getRequestURI().getPath().equals("/chunks");
          int status = exchange.getRequestURI().getPath().equals("/none") ? 404 : 200;
          exchange.sendResponseHeaders(status, chunks ? 0 : answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void oneConnectionTakesResponsesWithALengthAndInChunks() throws IOException {
    try (HttpConnection connection = new HttpConnection(server.getAddress().getPort())) {
      assertThat(new String(connection.ask(HttpConnection.get("/whole?a=b")), US_ASCII))
          .isEqualTo("/whole?a=b ");
      assertThat(new String(connection.ask(post("/chunks", "[1]")), US_ASCII))
          .isEqualTo("/chunks " + "[1]".repeat(10_000));
      assertThat(new String(connection.ask(post("/whole", "[2]")), US_ASCII))
          .isEqualTo("/whole " + "[2]".repeat(10_000));
    }
  }

  @Test
  void aResponseWithoutContentIsEmpty() throws IOException {
    server.createContext(
        "/put",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    try (HttpConnection connection = new HttpConnection(server.getAddress().getPort())) {
      assertThat(connection.ask(post("/put", "[]"))).isEmpty();
      assertThat(connection.ask(HttpConnection.get("/whole"))).isNotEmpty();
    }
  }

  @Test
  void anErrorOfTheServerIsThrown() throws IOException {
    try (HttpConnection connection = new HttpConnection(server.getAddress().getPort())) {
      assertThatThrownBy(() -> connection.ask(HttpConnection.get("/none")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("404");
    }
  }

  private static byte[] post(String path, String json) {
    return HttpConnection.post(path, "Content-Type: application/json", json.getBytes(US_ASCII));
  }
}
