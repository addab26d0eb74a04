package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.hourstone.server.sender.ProtoFields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the transport refuses, the clients of other protocols read in their own forms. Each refusal
 * of OTLP is a {@code google.rpc.Status} in the encoding of its request.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DoorErrorsTest {
  private static final String TOO_LARGE =
      "Request Entity Too Large: the body has more than 1048576 bytes"
          + " (hourstone.http.max_body_bytes)";

  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/x-protobuf";

  @TempDir private Path directory;
  private Served served;

  @BeforeEach
  void start() throws IOException {
    Path accounts =
        Files.writeString(
            directory.resolve("accounts"),
            Accounts.tokenLine("writer", "write", "w")
                + "\n"
                + Accounts.tokenLine("reader", "read", "r")
                + "\n");
    served =
        Served.start(
            TsdbOptions.defaults()
                .with(DaemonSettings.AUTHENTICATION, "true")
                .with(DaemonSettings.ACCOUNTS, accounts.toString()));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Response send(String method, String token, String type, String more, byte[] body)
      throws IOException {
    try (Client client = served.connect()) {
      String headers =
          "Authorization: Bearer " + token + "\r\nContent-Type: " + type + "\r\n" + more;
      client.sendRequest(method, "/v1/metrics", headers, body);
      return client.response();
    }
  }

  private void refused(
      String method, String token, String more, byte[] body, int status, int code, String message)
      throws IOException {
    Response json = send(method, token, JSON, more, body);
    assertThat(json.status()).isEqualTo(status);
    assertThat(json.headers()).extractingByKey("content-type").asString().startsWith(JSON);
    assertThat(json.body()).isEqualTo("{\"code\":" + code + ",\"message\":\"" + message + "\"}");

    Response protobuf = send(method, token, PROTOBUF, more, body);
    assertThat(protobuf.status()).isEqualTo(status);
    assertThat(protobuf.headers()).containsEntry("content-type", PROTOBUF);
    assertThat(protobuf.content())
        .isEqualTo(new ProtoFields().number(1, code).text(2, message).toBytes());
  }

  @Test
  void refusalsOfTheTransportAreStatuses() throws IOException {
    byte[] small = "{}".getBytes(UTF_8);
    refused("POST", "x", "", small, 401, 16, "Unauthorized: Missing or invalid credentials");
    assertThat(send("POST", "x", PROTOBUF, "", small).headers()).containsKey("www-authenticate");
    assertThat(send("POST", "r", PROTOBUF, "", small).status()).isEqualTo(403);
    assertThat(send("POST", "r", JSON, "", small).body()).startsWith("{\"code\":7,");
    refused("POST", "w", "", new byte[(1 << 20) + 1], 413, 8, TOO_LARGE);
    refused(
        "POST",
        "w",
        "Content-Encoding: br\r\n",
        small,
        415,
        3,
        "Unsupported Media Type: The Content-Encoding [br] is unknown: gzip and deflate are known");
    refused(
        "PUT",
        "w",
        "",
        small,
        405,
        12,
        "Method not allowed: The HTTP method [PUT] is not permitted for this endpoint");
    assertThat(send("PUT", "w", PROTOBUF, "", small).headers()).containsEntry("allow", "POST");
  }

  @Test
  void aRequestOfAnUnknownTypeIsAnsweredInJson() throws IOException {
    Response response = send("POST", "w", "text/plain", "", "x".getBytes(UTF_8));

    assertThat(response.status()).isEqualTo(415);
    assertThat(response.body()).startsWith("{\"code\":3,\"message\":\"Unsupported Media Type: ");
  }

  @Test
  void bodiesThatAreTooLargeAreRefusedInTheFormOfInfluxDb() throws IOException {
    byte[] large = new byte[(1 << 20) + 1];
    try (Client one = served.connect();
        Client two = served.connect()) {
      one.sendRequest("POST", "/write", "Authorization: Token w\r\n", large);
      two.sendRequest("POST", "/api/v2/write", "Authorization: Token w\r\n", large);

      Response first = one.response();
      assertThat(first.status()).isEqualTo(413);
      assertThat(first.body()).isEqualTo("{\"error\":\"" + TOO_LARGE + "\"}");
      assertThat(first.headers())
          .containsEntry("x-influxdb-error", TOO_LARGE)
          .containsKey("x-influxdb-version");
      assertThat(two.response().body())
          .isEqualTo("{\"code\":\"request too large\",\"message\":\"" + TOO_LARGE + "\"}");
    }
  }

  @Test
  void halfABodyIsRefusedInTheFormOfItsProtocol() throws IOException {
    try (Client client = served.connect()) {
      client.send(
          "POST /v1/metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer w\r\n"
              + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{");
      client.endOfInput();

      Response response = client.response();
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.body()).startsWith("{\"code\":3,\"message\":\"Bad Request: ");
    }
  }
}
