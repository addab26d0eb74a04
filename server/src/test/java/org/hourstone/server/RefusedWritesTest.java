package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused leaves a trace at the server, whether or not its sender reads the reply. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RefusedWritesTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";

  private static TsdbOptions options() {
    return TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true");
  }

  private static Served start(TsdbOptions options) throws IOException {
    return Served.start(options);
  }

  /** The counters of refusals by their types, and of points that are not stored. */
  private static Map<String, Integer> counters(Served served) throws IOException {
    Map<String, Integer> counters = new HashMap<>();
    for (JsonNode each : new ObjectMapper().readTree(served.get("/api/stats").body())) {
      String metric = each.path("metric").asText();
      if (metric.equals("tsd.rpc.errors") || metric.equals("tsd.datapoints.failed")) {
        int value = Integer.parseInt(each.path("value").asText());
        if (value > 0) {
          counters.put(each.path("tags").path("type").asText("failed"), value);
        }
      }
    }
    return counters;
  }

  private static String send(Served served, byte[] lines) throws IOException {
    try (Client client = served.connect()) {
      client.send(lines);
      client.endOfInput();
      return client.rest();
    }
  }

  private static String send(Served served, String lines) throws IOException {
    return send(served, lines.getBytes(UTF_8));
  }

  @Test
  void refusedLinesAreCountedByTheirReasonsAndLoggedWithTheirSender() throws IOException {
    try (Served served = start(options().with(Settings.AUTO_CREATE_METRICS, "false"))) {
      send(
          served,
          "put bad[m 1500000000 1 a=b\n"
              + "put ok.m 1500000000 x a=b\n"
              + "put ok.m 0 1 a=b\n"
              + "put ok.m 1500000000 1 a=b\n" // not created automatically
              + "put\n"
              + "rollup 1h-sum ok.m 1500000000 1 a=b\n"
              + "histogram ok.m 1500000000 00 a=b\n"
              + "putt ok.m 1500000000 1 a=b\n"
              + "\r\n");

      assertThat(counters(served))
          .isEqualTo(
              Map.of(
                  "illegal_arguments", 6,
                  "invalid_values", 1,
                  "unknown_metrics", 1,
                  "failed", 7)); // an unknown command may be anything
      assertThat(served.get("/logs").body())
          .containsPattern(
              "refused \\(illegal_arguments\\): .*bad\\[m.*, from 127\\.0\\.0\\.1:\\d+")
          .contains("put bad[m 1500000000 1 a=b")
          .contains("refused (invalid_values): put: invalid value")
          .contains("refused (unknown_metrics): put: unknown metric");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?details", "?summary", "?sync"})
  void refusedPointsOfHttpAreCounted(String how) throws IOException {
    try (Served served = start(options())) {
      String wrong = POINT.replace("\"value\":1", "\"value\":\"1\\u000a2\"");
      String body = "[" + POINT + "," + POINT.replace("1500000000", "0") + "," + wrong + "]";
      assertThat(served.post("/api/put" + how, body).status()).isEqualTo(400);

      assertThat(counters(served))
          .isEqualTo(Map.of("illegal_arguments", 1, "invalid_values", 1, "failed", 2));
      assertThat(served.get("/logs").body())
          .containsPattern("from 127\\.0\\.0\\.1:\\d+ request [0-9a-f]{16}: \\{\"metric\":\"m\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /api/put, '[', 1",
    "POST, /api/put, '', 1",
    "POST, /api/rollup, '[{}]', 1",
    "POST, /api/histogram?details, '[{\"metric\":\"m\"}]', 1",
    "POST, /write?precision=x, 'm f=1', 1",
    "POST, /api/v2/write?m=x, 'm f=1', 1",
    "POST, /query, 'q=DROP+DATABASE+d', 0",
    "POST, /api/annotation, '{\"startTime\":', 0",
    "POST, /api/annotation/bulk, '{}', 0",
    "PUT, /api/uid/uidmeta, '{}', 0",
    "POST, /api/uid/tsmeta, '{}', 0",
  })
  void requestsRefusedAsAWholeAreCounted(String method, String uri, String body, int points)
      throws IOException {
    try (Served served = start(options())) {
      assertThat(Client.request(served.address(), method, uri, body).status())
          .isGreaterThanOrEqualTo(400);
      Map<String, Integer> counters = counters(served);
      assertThat(counters.getOrDefault("failed", 0)).isEqualTo(points);
      counters.remove("failed");
      assertThat(counters.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
      assertThat(served.get("/logs").body()).contains("refused (");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/write?precision=s", "/api/v2/write?precision=s"})
  void refusedLinesOfInfluxAreCounted(String uri) throws IOException {
    try (Served served = start(options())) {
      Client.Response response =
          served.post(uri, "m,h=a f=1i 1500000000\nm,h=a f=x\nm,h=a f=1 -1\nm f=1 1500000000");
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.headers())
          .containsEntry("x-influxdb-version", "1.8.0")
          .containsEntry("content-type", "application/json; charset=UTF-8");
      assertThat(response.headers().get("x-influxdb-error")).startsWith("partial write: line 2: ");

      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 2, "failed", 2));
      assertThat(served.get("/logs").body())
          .containsPattern("from 127\\.0\\.0\\.1:\\d+ request [0-9a-f]{16}: m,h=a f=x")
          .contains("m.f{h=a} at -1000 ms");
      assertThat(served.get("/api/stats").body()).contains("tsd.door.points");
    }
  }

  /** Parameters with a password are in no log. */
  @Test
  void passwordsOfParametersAreNotLogged() throws IOException {
    try (Served served = start(options())) {
      for (String uri :
          List.of(
              "/write?u=me&p=secret",
              "/write?precision=x&u=me&p=secret",
              "/write?u=me&p=%zzsecret",
              "/query?q=SELECT&u=me&p=secret",
              "/query?q=SELECT&u=me&p=%zzsecret")) {
        served.post(uri, "m f=x").status();
        served.get(uri).status();
      }
      assertThat(served.get("/logs").body()).contains("refused").doesNotContain("secret");
    }
  }

  @Test
  void readsThatFailAreNotRefusedWrites() throws IOException {
    try (Served served = start(options())) {
      assertThat(served.get("/api/query?m=x").status()).isEqualTo(400);
      assertThat(served.get("/api/annotation").status()).isEqualTo(400);
      assertThat(counters(served)).isEmpty();
    }
  }

  @Test
  void aBodyThatIsNotReceivedIsCounted() throws IOException {
    try (Served served = start(options());
        Client client = served.connect()) {
      client.send(
          "POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n");
      assertThat(client.response().status()).isEqualTo(413);
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
    }
    try (Served served = start(options());
        Client client = served.connect()) {
      client.sendRequest("POST", "/api/put", "Content-Encoding: br\r\n", new byte[] {1});
      assertThat(client.response().status()).isEqualTo(415);
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
    }
  }

  @Test
  void aServerThatOnlyReadsCountsThePointsItRefuses() throws IOException {
    try (Served served = start(options().with(DaemonSettings.MODE, "ro"))) {
      send(served, "put m 1500000000 1 h=a\n");
      served.post("/api/put", POINT);
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 2, "failed", 2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"put m 1500000060 2 a=b", "put m 15", "p", "put m 1 1 a=b\r"})
  void aLastLineWithoutALineEndIsRefused(String last) throws IOException {
    try (Served served = start(options())) {
      String replies = send(served, "put m 1500000000 1 a=b\n" + last);

      assertThat(replies)
          .isEqualTo("illegal argument: a line without a line end, which may be incomplete\n");
      assertThat(served.points("m")).containsExactly("m{a=b} 1500000000 1");
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
      assertThat(served.get("/logs").body()).contains("a line without a line end", "127.0.0.1:");
    }
  }

  @Test
  void inStrictModeALastLineWithoutALineEndHasNoReplyButATrace() throws IOException {
    try (Served served = start(TsdbOptions.openTsdbDefaults())) {
      assertThat(send(served, "put m 1500000000 1 a=b")).isEmpty();
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
    }
  }

  @Test
  void aClientThatLeavesWithoutALineEndIsNoFault() throws IOException {
    try (Served served = start(options())) {
      assertThat(send(served, "exit")).isEmpty();
      assertThat(send(served, "version\n")).startsWith("hourstone");
      assertThat(counters(served)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\nput m 1500000000 1 a=b\n"})
  void aLineThatIsTooLongIsRefusedWhetherOrNotItEnds(String end) throws IOException {
    try (Served served = start(options())) {
      String replies = send(served, "put m 1500000000 1 a=" + "b".repeat(200_000) + end);

      assertThat(replies).isEqualTo("illegal argument: a line of more than 4096 bytes\n");
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
    }
  }

  @Test
  void namesMeanTheSameByEveryDoor() throws IOException {
    try (Served served = start(options())) {
      String byJson = POINT.replace("\"a\"", "\"Perú/fête/Málaga\"");
      served.post("/api/put", byJson);
      send(
          served, "put m 1500000001 2 h=Perú/fête/Málaga\nput m 1500000002 3 h=Perú/fête/Málaga\n");
      served.db().flush();
      String uri = "/api/query?start=1500000000&end=1500000010&m=sum:m{h=Perú/fête/Málaga}";
      try (Client client = served.connect()) {
        client.send(("GET " + uri + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
        assertThat(client.response().body())
            .contains("{\"1500000000\":1,\"1500000001\":2,\"1500000002\":3}");
      }
      assertThat(served.points("m")).hasSize(3);
      assertThat(served.get("/api/suggest?type=tagv").body()).isEqualTo("[\"Perú/fête/Málaga\"]");
      assertThat(counters(served)).isEmpty();
    }
  }

  @Test
  void namesThatCannotBeStoredAreRefusedAsInJson() throws IOException {
    try (Served served = start(options())) {
      String reply = send(served, "put m 1500000001 2 h=Gdańsk\n");
      assertThat(new String(reply.getBytes(ISO_8859_1), UTF_8))
          .isEqualTo(
              "put: illegal argument: Invalid tag value with key [h] (\"Gdańsk\"): not in"
                  + " ISO-8859-1: ń\n");
      assertThat(served.post("/api/put?details", POINT.replace("\"a\"", "\"Gdańsk\"")).body())
          .contains("not in ISO-8859-1: ń");
    }
  }

  @Test
  void linesAndTargetsThatAreNotUtf8AreRefused() throws IOException {
    try (Served served = start(options())) {
      assertThat(send(served, "put m 1500000001 2 h=Per\u00fa\n".getBytes(ISO_8859_1)))
          .isEqualTo("put: illegal argument: not UTF-8 text\n");
      assertThat(counters(served)).isEqualTo(Map.of("illegal_arguments", 1, "failed", 1));
      for (String name : new String[] {"Per\u00fa", "Per%FA"}) {
        String uri = "/api/query?start=1500000000&m=sum:m{h=" + name + "}";
        try (Client client = served.connect()) {
          client.send("GET " + uri + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
          assertThat(client.response().body()).contains("the query string is not UTF-8");
        }
      }
    }
  }

  /** A byte is a character, whatever it was meant to be. */
  @Test
  void inStrictModeLinesAreLatin1() throws IOException {
    TsdbOptions strict = TsdbOptions.openTsdbDefaults().with(Settings.AUTO_CREATE_METRICS, "true");
    try (Served served = start(strict)) {
      send(served, "put m 1500000000 1 h=Per\u00fa\n".getBytes(ISO_8859_1));
      send(served, "put m 1500000000 1 h=Per\u00fa\n");
      served.db().flush();
      assertThat(served.get("/api/suggest?type=tagv").body()).contains("Perú", "PerÃº");
    }
  }
}
