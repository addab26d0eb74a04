package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients rely on, beyond what other tests of the server and the recordings show. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientChecklistTest {
  private Served served;

  @BeforeEach
  void start() throws IOException {
    served =
        Served.start(
            TsdbOptions.defaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(QuerySettings.ALLOW_DELETE, "true"));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /** A server with another setting. */
  private void startWith(Setting<?> setting, String value) throws IOException {
    served.close();
    served = Served.start(TsdbOptions.defaults().with(setting, value));
  }

  private String telnet(String lines) throws IOException {
    try (Client client = served.connect()) {
      client.send(lines);
      client.endOfInput();
      return client.rest();
    }
  }

  private static String point(String timestamp, String value) {
    return "{\"metric\":\"m\",\"timestamp\":%s,\"value\":%s,\"tags\":{\"h\":\"a\"}}"
        .formatted(timestamp, value);
  }

  @Test
  void linesMayHaveRunsOfSpacesAndManyBytes() throws IOException {
    String longName = "n".repeat(900);

    String replies =
        telnet("put m 1500000000 1   h=a  \r\n" + "put m 1500000001 2 h=" + longName + "\n");

    assertThat(replies).isEmpty();
    assertThat(served.points("m"))
        .containsExactly("m{h=a} 1500000000 1", "m{h=" + longName + "} 1500000001 2");
  }

  /** As by OpenTSDB: a blank line is an unknown command, and ends nothing. */
  @Test
  void linesMayComeInPiecesAndBeBlank() throws IOException {
    try (Client client = served.connect()) {
      for (String part : "put m 1500000000 1 h=a\r\n\r\n\nversion\r\n".split("")) {
        client.send(part);
      }
      assertThat(client.line()).startsWith("unknown command: .");
      assertThat(client.line()).startsWith("unknown command: .");
      assertThat(client.line()).startsWith("hourstone ");
    }
    assertThat(served.points("m")).hasSize(1);
  }

  @Test
  void everyCommandHasAReplyWhileOthersWrite() throws IOException {
    try (Client writer = served.connect();
        Client client = served.connect()) {
      writer.send(
          IntStream.range(0, 5_000)
              .mapToObj(i -> "put m " + (1_500_000_000 + i) + " 1 h=a\n")
              .collect(Collectors.joining()));
      for (String command :
          new String[] {
            "version", "help", "status", "dropcaches", "nosuch", "put", "rollup", "histogram"
          }) {
        client.send(command + "\n");
        assertThat(client.line()).as(command).isNotEmpty();
      }
      client.send("stats\nexit\n");
      assertThat(client.rest()).contains("tsd.rpc.received");
    }
  }

  @Test
  void negotiationOfTelnetIsAnsweredAsAnUnknownCommandAndTheNextLineExecuted() throws IOException {
    String negotiation = "\u00ff\u00fb\u001f\u00ff\u00fb\u0018\u00ff\u00fd\u0001";

    assertThat(telnet(negotiation + "\nput m 1500000000 1 h=a\nversion\n").lines())
        .hasSize(2)
        .satisfies(replies -> assertThat(replies.get(0)).startsWith("unknown command: "))
        .satisfies(replies -> assertThat(replies.get(1)).startsWith("hourstone "));
    assertThat(served.points("m")).hasSize(1);
  }

  @Test
  void aPointWithoutTagsIsRefusedWithItsReason() throws IOException {
    assertThat(telnet("put m 1500000000 1\nput m 1500000000 1 \n").lines())
        .hasSize(2)
        .allSatisfy(reply -> assertThat(reply).startsWith("put: illegal argument: "));
    assertThat(
            served
                .post("/api/put?details", "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1}")
                .body())
        .contains("\"failed\":1");
  }

  @Test
  void aPointWithoutTagsGetsOneIfThatIsConfigured() throws IOException {
    startWith(Settings.DEFAULT_TAG, "source=unknown");

    String replies = telnet("put m 1500000000 1\nput m 1500000001 2 \r\nput m 1500000002 3 h=a\n");
    String untagged = "{\"metric\":\"m\",\"timestamp\":150000000%d,\"value\":%1$d%s}";
    String body =
        "["
            + untagged.formatted(3, "")
            + ","
            + untagged.formatted(4, ",\"tags\":{}")
            + ","
            + untagged.formatted(5, ",\"tags\":{\"h\":\"a\"}")
            + "]";

    assertThat(replies).isEmpty();
    assertThat(served.post("/api/put", body).status()).isEqualTo(204);
    assertThat(served.points("m"))
        .containsExactly(
            "m{h=a} 1500000002 3",
            "m{h=a} 1500000005 5",
            "m{source=unknown} 1500000000 1",
            "m{source=unknown} 1500000001 2",
            "m{source=unknown} 1500000003 3",
            "m{source=unknown} 1500000004 4");
    assertThat(telnet("put m 1500000000\nput m\n").lines())
        .hasSize(2)
        .allSatisfy(reply -> assertThat(reply).startsWith("put: illegal argument: not enough"));
  }

  @Test
  void ofAnArrayTheGoodPointsAreStored() throws IOException {
    String body = "[" + point("1500000000", "1") + "," + point("1500000001", "\"x\"") + "]";

    Response plain = served.post("/api/put", body);
    Response summary = served.post("/api/put?summary", body);
    Response details = served.post("/api/put?details&sync&sync_timeout=60000", body);

    assertThat(plain.status()).isEqualTo(400);
    assertThat(plain.body()).startsWith("{\"error\":{\"code\":400,");
    assertThat(summary.body()).isEqualTo("{\"success\":1,\"failed\":1}");
    assertThat(details.body())
        .contains("\"success\":1", "\"failed\":1", "\"errors\":[{\"datapoint\"");
    assertThat(served.points("m")).containsExactly("m{h=a} 1500000000 1");
  }

  @Test
  void bodiesMayBeDeflatedWhateverTheirTypeIsCalled() throws IOException {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
      out.write(point("1500000000", "1").getBytes(UTF_8));
    }
    try (Client client = served.connect()) {
      for (String type :
          new String[] {"text/plain", "applicaton/json", "application/x-www-form-urlencoded"}) {
        client.sendRequest(
            "POST",
            "/api/put",
            "Content-Encoding: deflate\r\nContent-Type: " + type + "\r\n",
            deflated.toByteArray());
        assertThat(client.response().status()).as(type).isEqualTo(204);
      }
    }
  }

  @Test
  void aBodyOfAlmostTheLimitIsStored() throws IOException {
    int points = 10_000;
    String body =
        IntStream.range(0, points)
            .mapToObj(i -> point(String.valueOf(1_500_000_000 + i), "1"))
            .collect(Collectors.joining(",\n      ", "[", "]"));
    assertThat(body.length()).isBetween(700_000, 1 << 20);

    assertThat(served.post("/api/put?summary", body).body())
        .isEqualTo("{\"success\":10000,\"failed\":0}");
    assertThat(served.points("m")).hasSize(points);
  }

  @Test
  void valuesAndTimestampsAreNumbersOrStringsOfEveryWidth() throws IOException {
    String[] values = {
      "0",
      "-1",
      "127",
      "128",
      "-129",
      "32767",
      "32768",
      "2147483647",
      "2147483648",
      "9223372036854775807",
      "-9223372036854775808",
      "1.5",
      "1e3",
      "4.2"
    };
    for (int i = 0; i < values.length; i++) {
      String value = i % 2 == 0 ? values[i] : "\"" + values[i] + "\"";
      String time = String.valueOf(1_500_000_000 + i);
      assertThat(
              served
                  .post("/api/put", point(i % 3 == 0 ? "\"" + time + "\"" : time, value))
                  .status())
          .as(value)
          .isEqualTo(204);
    }
    assertThat(served.post("/api/put", point("1500000100500", "7")).status()).isEqualTo(204);
    assertThat(served.post("/api/put", point("\"1500000101500\"", "8")).status()).isEqualTo(204);
    assertThat(served.post("/api/put", point("1500000200.5", "9")).status()).isEqualTo(204);

    assertThat(served.points("m"))
        .contains(
            "m{h=a} 1500000009 9223372036854775807",
            "m{h=a} 1500000010 -9223372036854775808",
            "m{h=a} 1500000011 1.5",
            "m{h=a} 1500000012 1000.0",
            "m{h=a} 1500000100500 7",
            "m{h=a} 1500000101500 8",
            "m{h=a} 1500000200500 9")
        .hasSize(values.length + 3);
  }

  @Test
  void theQueryStringMayHaveRawBracesBarsAndBrackets() throws IOException {
    served.post("/api/put", "[" + point("1500000000", "1") + "]");
    telnet("put m 1500000000 1 h=b\n");
    served.db().flush();

    String range = "/api/query?start=1500000000&end=1500000100&m=";
    assertThat(served.get(range + "sum:m{h=a|b}").body()).contains("\"h\":\"a\"", "\"h\":\"b\"");
    assertThat(served.get(range + "sum:m{h=regexp([a-c]|x)}").body()).contains("\"h\":\"a\"");
    assertThat(served.get(range + "sum:m{h=*}{}").body()).contains("\"h\":\"a\"");
    assertThat(served.get("/api/search/lookup?m=m{h=*}").body()).contains("\"totalResults\":2");
  }

  @Test
  void methodsMayBeOverriddenAndPointsDeleted() throws IOException {
    served.post(
        "/api/put",
        Stream.of("1500000000", "1500000100", "1500000200")
            .map(time -> point(time, "2"))
            .collect(Collectors.joining(",", "[", "]")));
    assertThat(served.post("/api/suggest", "{\"type\":\"metrics\",\"q\":\"m\"}").body())
        .isEqualTo("[\"m\"]");
    assertThat(served.post("/api/search/lookup", "{\"metric\":\"m\"}").body())
        .contains("\"totalResults\":1");
    String range = "/api/query?start=1500000000&end=1500000050&m=sum:m";

    assertThat(served.get(range + "&method_override=delete").status()).isEqualTo(200);
    assertThat(served.points("m")).containsExactly("m{h=a} 1500000100 2", "m{h=a} 1500000200 2");
    String other = "/api/query?start=1500000190&end=1500000210&m=sum:m";
    assertThat(Client.request(served.address(), "DELETE", other, "").status()).isEqualTo(200);
    assertThat(served.points("m")).containsExactly("m{h=a} 1500000100 2");
    assertThat(
            served
                .post(
                    "/api/query",
                    "{\"start\":1500000090,\"end\":1500000110,\"delete\":true,"
                        + "\"queries\":[{\"metric\":\"m\",\"aggregator\":\"sum\"}]}")
                .status())
        .isEqualTo(200);
    served.db().flush();
    assertThat(served.get("/api/query?start=1500000000&end=1500000110&m=sum:m").body())
        .isEqualTo("[]");
  }

  /** As by OpenTSDB: some programs have it in their settings. */
  @Test
  void aSlashAfterThePathIsIgnored() throws IOException {
    assertThat(served.post("/api/put/", point("1500000000", "1")).status()).isEqualTo(204);
    assertThat(served.post("/api/v1/put/?summary", point("1500000001", "1")).status())
        .isEqualTo(200);
    assertThat(served.points("m")).hasSize(2);
    assertThat(served.get("/api/query/?start=1500000000&m=sum:m").body()).contains("1500000001");
    assertThat(served.get("/api/stats/region_clients/").body()).isEqualTo("[]");
    for (String other : new String[] {"/api/", "/api//", "/api/put//", "/api/nosuch/", "/q/"}) {
      assertThat(served.get(other).status()).as(other).isEqualTo(404);
    }
  }

  @Test
  void anEnormousLimitTakesWhatThereIs() throws IOException {
    served.post("/api/put", point("1500000000", "1"));

    assertThat(served.get("/api/suggest?type=metrics&q=m&max=100000000").body())
        .isEqualTo("[\"m\"]");
    assertThat(served.get("/api/search/lookup?m=m&limit=100000000").body())
        .contains("\"totalResults\":1");
  }

  @Test
  void timesAreInOrderInSecondsOrMilliseconds() throws IOException {
    String body =
        IntStream.of(2500, 500, 61_000, 0)
            .mapToObj(ms -> point(String.valueOf(1_500_000_000_000L + ms), String.valueOf(ms)))
            .collect(Collectors.joining(",", "[", "]"));
    served.post("/api/put", body);
    String query = "/api/query?start=1500000000&end=1500000100&m=none:m";

    assertThat(served.get(query + "&ms").body())
        .contains(
            "\"dps\":{\"1500000000000\":0,\"1500000000500\":500,\"1500000002500\":2500,"
                + "\"1500000061000\":61000}");
    assertThat(served.get(query + "&arrays").body())
        .contains("[1500000002,2500],[1500000061,61000]");
    assertThat(served.get(query).body()).contains("\"1500000061\":61000");
  }

  @Test
  void whatIsMissingIsTheStringOrNull() throws IOException {
    served.post("/api/put", "[" + point("1500000000", "1") + "," + point("1500000120", "2") + "]");
    String query = "/api/query?start=1500000000&end=1500000130&m=sum:1m-sum-%s:m";

    assertThat(served.get(query.formatted("nan")).body()).contains("\"1500000060\":\"NaN\"");
    assertThat(served.get(query.formatted("null")).body()).contains("\"1500000060\":null");
  }

  /** A text makes some clients refuse the whole response. */
  @Test
  void whatIsMissingIsNeverATextIfThatIsConfigured() throws IOException {
    startWith(QuerySettings.NULL_FOR_NAN, "true");
    served.post("/api/put", "[" + point("1500000000", "1") + "," + point("1500000120", "2") + "]");
    String range = "start=1500000000&end=1500000130";
    String divided = "divideSeries(sum:m,difference(sum:m,sum:m))";
    String exp =
        "{\"time\":{\"start\":\"1500000000\",\"end\":\"1500000130\",\"aggregator\":\"sum\"},"
            + "\"metrics\":[{\"id\":\"a\",\"metric\":\"m\",\"aggregator\":\"sum\"}],"
            + "\"expressions\":[{\"id\":\"e\",\"expr\":\"a/(a-a)\"}],\"outputs\":[{\"id\":\"e\"}]}";

    assertThat(served.get("/api/query?" + range + "&m=sum:1m-sum-nan:m").body())
        .contains("\"1500000060\":null");
    assertThat(served.get("/api/query/gexp?" + range + "&exp=" + divided).body())
        .contains("\"1500000000\":null");
    assertThat(served.post("/api/query/exp", exp).body()).contains("[1500000000000,null]");
  }

  @Test
  void whatServesSaysSo() throws IOException {
    assertThat(served.get("/api/status").body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(served.post("/api/status", "").status()).isEqualTo(405);
    assertThat(telnet("status\n")).isEqualTo("ok\n");

    startWith(Settings.STRICT, "requests"); // of version 2.4, which doesn't know it
    assertThat(served.get("/api/status").status()).isEqualTo(404);
    assertThat(telnet("status\n")).startsWith("unknown command: status.");
  }

  /** OpenTSDB describes it, and does not have it. */
  @Test
  void serializersAreNoEndpoint() throws IOException {
    assertThat(served.get("/api/serializers").status()).isEqualTo(404);
  }

  @Test
  void aResponseSaysWhatWasAsked() throws IOException {
    served.post("/api/put", point("1500000000", "1"));

    String body =
        served
            .get(
                "/api/query?start=1500000000&end=1500000100&m=sum:m&m=max:m"
                    + "&show_query&show_tsuids&show_stats&show_summary")
            .body();

    assertThat(body)
        .contains("\"index\":0", "\"index\":1", "\"tsuids\":[\"000001000001000001\"]")
        .contains("\"stats\":{", "\"statsSummary\":{");
  }
}
