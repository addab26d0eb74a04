package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Grafana sends: its plugin of 2026, and its core before that. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GrafanaBytesTest {
  private static final String OF_PLUGIN =
      "User-Agent: Grafana/13.0.0\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n";

  private static final String OF_BROWSER =
      String.join(
          "\r\n",
          "User-Agent: Mozilla/5.0",
          "Accept: application/json, text/plain, */*",
          "Content-Type: application/json",
          "X-Grafana-Org-Id: 1",
          "");

  private Served served;

  @BeforeEach
  void start() throws IOException {
    served = Served.start();
    try (Client client = served.connect()) {
      for (String point :
          new String[] {
            "sys.cpu 1500000000 1 host=web01 dc=lga",
            "sys.cpu 1500000060 2 host=web01 dc=lga",
            "sys.cpu 1500000000 3 host=web02 dc=lga",
            "sys.load 1500000000 0.5 host=web01"
          }) {
        client.send("put " + point + "\n");
      }
      client.endOfInput();
      client.rest();
    }
    served.db().flush();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private String send(String method, String uri, String headers, String body) throws IOException {
    try (Client client = served.connect()) {
      client.sendRequest(method, uri, headers, body.getBytes(UTF_8));
      Response response = client.response();
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      if ("gzip".equals(response.headers().get("content-encoding"))) {
        try (GZIPInputStream gzip =
            new GZIPInputStream(new ByteArrayInputStream(response.content()))) {
          return new String(gzip.readAllBytes(), UTF_8);
        }
      }
      return response.body();
    }
  }

  private String plugin(String uri) throws IOException {
    return send("GET", uri, OF_PLUGIN, "");
  }

  @Test
  void thePluginIsTestedAndCompletesNames() throws IOException {
    assertThat(plugin("/api/suggest?q=cpu&type=metrics")).isEqualTo("[]");
    assertThat(plugin("/api/suggest?type=metrics&q=sys&max=1000"))
        .isEqualTo("[\"sys.cpu\",\"sys.load\"]");
    assertThat(plugin("/api/suggest?type=tagk&q=h&max=1000")).isEqualTo("[\"host\"]");
    assertThat(plugin("/api/suggest?type=tagv&q=web&max=1000")).isEqualTo("[\"web01\",\"web02\"]");
    assertThat(plugin("/api/aggregators")).startsWith("[\"").contains("\"sum\"");
    assertThat(plugin("/api/config/filters")).startsWith("{\"").contains("\"wildcard\":{");
  }

  @Test
  void thePluginLooksNamesAndValuesOfTagsUp() throws IOException {
    assertThat(plugin("/api/search/lookup?m=sys.cpu&limit=1000"))
        .contains("\"tags\":{\"host\":\"web02\",\"dc\":\"lga\"}");
    assertThat(plugin("/api/search/lookup?m=sys.cpu%7Bhost%3D%2A%2Cdc%3Dlga%7D&limit=1000"))
        .contains("\"web01\"", "\"web02\"", "\"totalResults\":2");
  }

  @Test
  void thePluginQueriesInSeconds() throws IOException {
    String body =
        "{\"start\":1499999940,\"end\":1500000120,\"queries\":[{\"aggregator\":\"sum\","
            + "\"downsample\":\"1m-avg\",\"filters\":[{\"filter\":\"web*\",\"groupBy\":true,"
            + "\"tagk\":\"host\",\"type\":\"wildcard\"}],\"metric\":\"sys.cpu\"}]}";

    assertThat(send("POST", "/api/query", OF_PLUGIN, body))
        .contains("\"tags\":{\"dc\":\"lga\",\"host\":\"web01\"}")
        .contains("\"dps\":{\"1500000000\":1.0,\"1500000060\":2.0}");
    assertThat(send("POST", "/api/query?arrays=true", OF_PLUGIN, body))
        .contains("\"dps\":[[1500000000,1.0],[1500000060,2.0]]");
  }

  @Test
  void thePluginQueriesRates() throws IOException {
    String body =
        "{\"start\":1499999940,\"end\":1500000120,\"queries\":[{\"aggregator\":\"sum\","
            + "\"metric\":\"sys.cpu\",\"rate\":true,\"rateOptions\":{\"counter\":true,"
            + "\"counterMax\":4294967295.0,\"dropResets\":false,\"resetValue\":0.0},"
            + "\"tags\":{\"host\":\"web01\"},\"explicitTags\":false}]}";

    assertThat(send("POST", "/api/query", OF_PLUGIN, body))
        .contains("\"dps\":{\"1500000060\":0.016666666666666666}");
  }

  @Test
  void theCoreQueriesAllPanelsInMillisecondsAndMatchesThemByIndex() throws IOException {
    String body =
        "{\"start\":1499999940000,\"end\":1500000120000,\"queries\":["
            + "{\"metric\":\"sys.load\",\"aggregator\":\"sum\",\"downsample\":\"1m-avg\"},"
            + "{\"metric\":\"sys.cpu\",\"aggregator\":\"max\",\"downsample\":\"1m-avg\","
            + "\"tags\":{\"host\":\"web01|web02\"}}],"
            + "\"msResolution\":true,\"globalAnnotations\":true,\"showQuery\":true}";

    String answer = send("POST", "/api/query", OF_BROWSER, body);
    assertThat(answer).contains("\"index\":0", "\"index\":1", "\"1500000060000\":2.0");
    assertThat(answer.split("\"metric\":\"sys.cpu\",\"tags\"", -1)).hasSize(3); // two results
  }

  @Test
  void theCoreQueriesUpToNow() throws IOException {
    String body =
        "{\"start\":1499999940000,\"queries\":[{\"metric\":\"sys.load\",\"aggregator\":\"sum\"}],"
            + "\"msResolution\":false,\"globalAnnotations\":true}";

    assertThat(send("POST", "/api/query", OF_BROWSER, body)).contains("\"1500000000\":0.5");
  }

  @Test
  void annotationsAreInTheResults() throws IOException {
    String tsuid = served.get("/api/query?start=1499999940&m=sum:sys.load&show_tsuids").body();
    String of = tsuid.replaceFirst(".*\"tsuids\":\\[\"", "").replaceFirst("\".*", "");
    String note = "{\"startTime\":1500000010,\"description\":\"deployed\"%s}";
    served.post("/api/annotation", note.formatted(",\"tsuid\":\"" + of + "\""));
    served.post("/api/annotation", note.formatted(""));
    String body =
        "{\"start\":1499999940000,\"queries\":[{\"metric\":\"sys.load\",\"aggregator\":\"sum\"}],"
            + "\"globalAnnotations\":true}";

    assertThat(send("POST", "/api/query", OF_BROWSER, body))
        .containsPattern("\"annotations\":\\[\\{[^]]*deployed")
        .containsPattern("\"globalAnnotations\":\\[\\{[^]]*deployed");
  }

  @Test
  void anErrorHasAMessageToShow() throws IOException {
    String body =
        "{\"start\":1499999940,\"queries\":[{\"metric\":\"nosuch\",\"aggregator\":\"sum\"}]}";
    Response response = served.post("/api/query", body);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body())
        .startsWith(
            "{\"error\":{\"code\":400,\"message\":\"No such name for 'metrics': 'nosuch'\"");
  }
}
