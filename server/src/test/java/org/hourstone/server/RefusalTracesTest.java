package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever the server refuses a request, a line or a connection, it counts and logs it once. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RefusalTracesTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";
  private static final String READER = "X-Access-Token: token-of-the-reader\r\n";

  private static TsdbOptions options() {
    return TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true");
  }

  private static ServerOptions limits(int connections) {
    ServerOptions usual = ServerTest.options(InetAddress.getLoopbackAddress());
    return new ServerOptions(
        usual.address(),
        connections,
        new ServerOptions.Bodies(8 << 20, 32 << 20),
        usual.maxLine(),
        usual.requests(),
        usual.patience());
  }

  /** The counters of refusals by their types, and of points that are not stored. */
  private static Map<String, Integer> counters(Served served) throws IOException {
    Map<String, Integer> counters = new TreeMap<>();
    try (Client client = served.connect()) {
      client.sendRequest("GET", "/api/stats", READER, new byte[0]);
      for (JsonNode each : new ObjectMapper().readTree(client.response().body())) {
        String metric = each.path("metric").asText();
        if (metric.equals("tsd.rpc.errors") || metric.equals("tsd.datapoints.failed")) {
          int value = Integer.parseInt(each.path("value").asText());
          if (value > 0) {
            counters.put(each.path("tags").path("type").asText("failed"), value);
          }
        }
      }
    }
    return counters;
  }

  /** Waits until that is counted. */
  private static void await(Served served, Map<String, Integer> expected) throws IOException {
    while (!counters(served).equals(expected)) {
      Thread.onSpinWait();
    }
  }

  private static int status(Served served, String request) throws IOException {
    try (Client client = served.connect()) {
      client.send(request);
      return client.response().status();
    }
  }

  private static Map<String, Integer> refused(String type, int writes, int points) {
    Map<String, Integer> counters = new TreeMap<>(Map.of(type, writes));
    if (points > 0) {
      counters.put("failed", points);
    }
    return counters;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /api/put                               | evil.example | 403 | 1",
        "PUT /api/annotation                         | evil.example | 403 | 0",
        "GET /api/query?m=sum:m                      | evil.example | 403 | 0",
        "GET /api/put?method_override=post           | evil.example | 403 | 1",
      })
  void aRequestForAnotherHostIsCounted(String request, String host, int status, int points)
      throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(status(served, request + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
          .isEqualTo(status);
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, points));
      assertThat(served.get("/logs").body())
          .containsPattern("refused \\(illegal_arguments\\): Forbidden.*from 127\\.0\\.0\\.1:");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "false, POST /api/put, 403, 1",
    "true, POST /api/put, 200, 1",
    "false, GET /, 403, 0"
  })
  void aPageOfAnotherSiteIsCounted(boolean strict, String request, int status, int points)
      throws IOException {
    TsdbOptions options =
        options()
            .with(DaemonSettings.CORS_DOMAINS, "https://good.example")
            .with(Settings.STRICT, strict ? "requests" : "none");
    try (Served served = Served.start(options)) {
      String head = " HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n";
      assertThat(status(served, request + head)).isEqualTo(status);
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, points));
      assertThat(served.get("/logs").body()).contains("CORS domain not allowed");
    }
  }

  private static Served withAccounts(Path directory) throws IOException {
    Path file = directory.resolve("accounts");
    Files.writeString(file, Accounts.tokenLine("reader", "read,admin", "token-of-the-reader"));
    return Served.start(
        options()
            .with(DaemonSettings.AUTHENTICATION, "true")
            .with(DaemonSettings.ACCOUNTS, file.toString()));
  }

  @ParameterizedTest
  @CsvSource({"POST, /api/put, 1", "GET, /api/query, 0", "GET, /metrics, 0"})
  void aRequestWithoutAnAccountIsCounted(
      String method, String uri, int points, @TempDir Path directory) throws IOException {
    try (Served served = withAccounts(directory)) {
      assertThat(Client.request(served.address(), method, uri, "").status()).isEqualTo(401);
      assertThat(counters(served)).isEqualTo(refused("failed_logins", 1, points));
    }
  }

  @Test
  void aFailedLoginNamesTheUserAndTheAddress(@TempDir Path directory) throws IOException {
    String basic = Base64.getEncoder().encodeToString("mallory\nx:wrong".getBytes(UTF_8));
    try (Served served = withAccounts(directory);
        Client client = served.connect()) {
      for (String given : List.of("Basic " + basic, "Bearer nosuch")) {
        client.sendRequest("GET", "/api/query", "Authorization: " + given + "\r\n", new byte[0]);
        assertThat(client.response().status()).isEqualTo(401);
      }
      assertThat(counters(served)).isEqualTo(refused("failed_logins", 2, 0));
      client.sendRequest("GET", "/logs", READER, new byte[0]);
      assertThat(client.response().body())
          .containsPattern(
              "refused \\(failed_logins\\): .*user mallory\\\\x0ax, from 127\\.0\\.0\\.1:")
          .containsPattern("refused \\(failed_logins\\): an unknown token, from 127\\.0\\.0\\.1:");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /api/query?start=yesterda&m=sum:m       |                     | illegal_arguments",
        "GET /api/query?start=1h-ago&m=sum:nosuch    |                     | illegal_arguments",
        "POST /api/query                             | {'start':'1h-agox'} | illegal_arguments",
        "POST /api/query/exp                         | {'x':1}             | illegal_arguments",
        "GET /api/query/gexp?start=1h-ago&exp=f(     |                     | illegal_arguments",
        "GET /api/query/last?timeseries=nosuch       |                     | illegal_arguments",
        "GET /q?start=1h-ago                         |                     | illegal_arguments",
      })
  void aRefusedQueryIsCountedAndLogged(String request, String body, String type)
      throws IOException {
    String[] words = request.split(" ");
    String sent = body == null ? "" : body;
    try (Served served = Served.start(options())) {
      assertThat(Client.request(served.address(), words[0], words[1], sent).status())
          .isBetween(400, 499);
      assertThat(counters(served)).isEmpty();
      assertThat(served.get("/metrics").body())
          .contains("hourstone_queries_refused_total{reason=\"" + type + "\"} 1.0");
      assertThat(served.get("/logs").body())
          .contains(
              "refused query (" + type + "): ",
              words[0] + " " + words[1].split("\\?", 2)[0],
              sent.isEmpty() ? "" : sent)
          .containsPattern("from 127\\.0\\.0\\.1:");
    }
  }

  @Test
  void linesWithoutAnAccountAreCountedEach(@TempDir Path directory) throws IOException {
    try (Served served = withAccounts(directory);
        Client client = served.connect()) {
      client.send("version\nput m 1500000000 1 h=a\nput m 1500000001 1 h=a\r\n\nrollup 1h-sum m");
      client.endOfInput();
      assertThat(client.rest()).startsWith("authentication is required");
      await(served, refused("failed_logins", 4, 3));
      try (Client admin = served.connect()) {
        admin.sendRequest("GET", "/logs", READER, new byte[0]);
        assertThat(admin.response().body())
            .contains("authentication is required", "put m 1500000000 1 h=a", "127.0.0.1:");
      }
    }
  }

  /** A request to put points that lacks the end of its body. */
  private static String unfinished(int length) {
    return "POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + length
        + "\r\n\r\n["
        + (POINT + ",").repeat(Math.max(0, length / (POINT.length() + 1) - 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3_000_000})
  void aBodyThatIsCutOffIsCountedAndAnswered(int length) throws IOException {
    try (Served served = Served.start(options(), limits(100))) {
      try (Client client = served.connect()) {
        client.send(unfinished(length));
        client.endOfInput();
        assertThat(client.response().status()).isEqualTo(400);
      }
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, 1));
      assertThat(served.get("/logs").body()).contains("refused (illegal_arguments): Bad Request");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3_000_000})
  void aBodyWhoseClientIsGoneIsCounted(int length) throws IOException {
    try (Served served = Served.start(options(), limits(100))) {
      try (Client client = served.connect()) {
        client.send(unfinished(length));
        client.reset();
      }
      await(served, refused("illegal_arguments", 1, 1));
    }
  }

  /** Blanks between requests are none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "P                                        | 0",
        "POST                                     | 0",
        "POST /api/put                            | 0",
        "POST /api/put HTTP/1.1~                  | 1",
        "POST /api/put HTTP/1.1~Host: localhost   | 1",
        "POST /api/put HTTP/1.1~Host: localhost~  | 1",
        "PUT /api/annotation HTTP/1.1~Host: local | 0",
        "DELETE /api/annotation?start_time=1 HTTP/1.1~Host: localhost~Content-Len | 0",
      })
  void aHeadThatIsCutOffIsCounted(String begun, int points) throws IOException {
    String head = begun.replace("~", "\r\n");
    String whole = "GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Served served = Served.start(options())) {
      int refusals = 0;
      for (String before : new String[] {"", whole, whole + "\r\n"}) {
        try (Client client = served.connect()) {
          client.send(before + head);
          client.endOfInput();
          if (before.startsWith("GET")) {
            assertThat(client.response().status()).isEqualTo(200);
          }
          assertThat(client.rest()).contains("400 Bad Request", "before the head");
        }
        refusals++;
        await(served, refused("illegal_arguments", refusals, points * refusals));
      }
      try (Client client = served.connect()) {
        client.send(head);
        client.reset();
      }
      refusals++;
      await(served, refused("illegal_arguments", refusals, points * refusals));
      try (Client client = served.connect()) {
        client.send(whole + "\r\n");
        client.endOfInput();
        assertThat(client.response().status()).isEqualTo(200);
        assertThat(client.rest()).isEmpty();
      }
      assertThat(counters(served))
          .isEqualTo(refused("illegal_arguments", refusals, points * refusals));
    }
  }

  @Test
  void halfALineOfAClientThatIsGoneIsCounted() throws IOException {
    try (Served served = Served.start(options())) {
      try (Client client = served.connect()) {
        client.send("version\nput m 1500000000 1 h");
        client.line();
        client.reset();
      }
      await(served, refused("illegal_arguments", 1, 1));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /api/put HTTP/3.0                                         | 505 | 1",
        "POST /api/put HTTP/1.1~Transfer-Encoding: gzip                 | 400 | 1",
        "POST /api/put HTTP/1.1~Transfer-Encoding: gzip, chunked        | 501 | 1",
        "POST /api/put HTTP/1.1~bad header                              | 400 | 1",
        "POST /api/put?x=%zz HTTP/1.1                                   | 400 | 1",
        "GET /api/annotation?x=%zz&method_override=delete HTTP/1.1      | 400 | 0",
        "GET /api/uid/assign?metric=a(b HTTP/1.1                        | 400 | 0",
        "GET /api/uid/rename?metric=nosuch&name=b HTTP/1.1              | 400 | 0",
        "DELETE /api/query?start=1&m=sum:m HTTP/1.1                     | 400 | 0",
        "PUT /api/nosuch HTTP/1.1                                       | 404 | 0",
        "DELETE / HTTP/1.1                                              | 405 | 0",
      })
  void whateverIsWrongWithARequestItIsCounted(String head, int status, int points)
      throws IOException {
    try (Served served = Served.start(options())) {
      String request = head.replace("~", "\r\nHost: localhost\r\n");
      String host = head.contains("~") ? "" : "\r\nHost: localhost";
      assertThat(status(served, request + host + "\r\n\r\n")).isEqualTo(status);
      if (head.startsWith("GET /api/annotation")) {
        return; // what it would do can't be read, so it reads
      }
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, points));
    }
  }

  @Test
  void eachRefusedElementIsCounted() throws IOException {
    try (Served served = Served.start(options())) {
      String good = "{\"startTime\":1500000000,\"notes\":\"n\"}";
      String bulk = "[" + good + ",{},5,{\"startTime\":\"x\",\"notes\":\"n\"}]";
      assertThat(served.post("/api/annotation/bulk", bulk).status()).isEqualTo(400);
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 3, 0));
      String names = "{\"metric\":[\"a(b\",\"ok\",5.5,[1]],\"tagk\":[\"c)d\"]}";
      assertThat(served.post("/api/uid/assign", names).status()).isEqualTo(400);
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 6, 0));
    }
  }

  @Test
  void histogramsThatAreNotConfiguredAreNoOverload() throws IOException {
    try (Served served = Served.start(options())) {
      assertThat(served.post("/api/histogram", "[" + POINT + "]").status()).isEqualTo(503);
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "version, 0",
    "help, 0",
    "versio, 0",
    "dropcaches, 0",
    "nosuch m 1 1, 0",
    "put, 1",
    "p, 1",
    "rollup 1h, 1",
    "histogra, 1"
  })
  void aLastLineWithoutALineEndIsAPointOnlyIfItMayBeOne(String last, int points)
      throws IOException {
    try (Served served = Served.start(options());
        Client client = served.connect()) {
      client.send(last);
      client.endOfInput();
      assertThat(client.rest()).startsWith("illegal argument: a line without a line end");
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, points));
    }
  }

  @ParameterizedTest
  @CsvSource({"version, true, 0", "version, false, 0", "put m, true, 1", "put m, false, 1"})
  void aLongLineIsAPointOnlyIfItMayBeOne(String begin, boolean ends, int points)
      throws IOException {
    try (Served served = Served.start(options());
        Client client = served.connect()) {
      client.send(begin + " " + "x".repeat(200_000) + (ends ? "\nversion\n" : ""));
      client.endOfInput();
      assertThat(client.rest()).startsWith("illegal argument: a line of more than");
      assertThat(counters(served)).isEqualTo(refused("illegal_arguments", 1, points));
      assertThat(served.get("/logs").body()).contains(": " + begin + " xxx");
    }
  }

  @Test
  void whatAConnectionTooManySendsIsCounted() throws IOException {
    try (Served served = Served.start(options(), limits(1))) {
      try (Client first = served.connect()) {
        first.send("version\n");
        first.line();
        try (Client second = served.connect()) {
          second.send("put m 1500000000 1 h=a\n");
          assertThat(second.line()).startsWith("too many connections");
        }
        try (Client third = served.connect()) {
          third.send("POST /api/put HTTP/1.1\r\nHost: localhost\r\n\r\n");
          assertThat(third.response().status()).isEqualTo(503);
        }
        first.send("stats\nexit\n");
        assertThat(first.rest())
            .containsPattern("tsd.rpc.errors \\d+ 2 [^\n]*type=overloads")
            .containsPattern("tsd.datapoints.failed \\d+ 2 ");
      }
    }
  }
}
