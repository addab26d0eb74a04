package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of other web sites use the API if they may. */
class CorsTest {
  private static final String ALLOW_ORIGIN = "access-control-allow-origin";

  private static Response send(String origins, String method, String uri, String origin)
      throws IOException {
    try (Served served =
            Served.start(TsdbOptions.defaults().with(DaemonSettings.CORS_DOMAINS, origins));
        Client client = served.connect()) {
      client.sendRequest(
          method, uri, origin.isEmpty() ? "" : "Origin: " + origin + "\r\n", "".getBytes(UTF_8));
      return client.response();
    }
  }

  @Test
  void withoutOriginsBrowsersGetNoHeaders() throws IOException {
    Response get = send("", "GET", "/api/version", "http://a.example");
    assertThat(get.status()).isEqualTo(200);
    assertThat(get.headers()).doesNotContainKeys(ALLOW_ORIGIN, "vary");

    Response options = send("", "OPTIONS", "/api/version", "http://a.example");
    assertThat(options.status()).isEqualTo(405);
    assertThat(options.body()).contains("The HTTP method [OPTIONS] is not permitted\"");
  }

  @Test
  void pagesOfAnAllowedSiteGetResponses() throws IOException {
    String origins = "http://a.example, http://B.example:3000";
    Response get = send(origins, "GET", "/api/version", "http://b.example:3000");
    assertThat(get.status()).isEqualTo(200);
    assertThat(get.headers())
        .containsEntry(ALLOW_ORIGIN, "http://b.example:3000")
        .containsEntry("vary", "origin")
        .containsEntry("access-control-allow-methods", "GET, POST, PUT, DELETE");
    assertThat(get.headers().get("access-control-allow-headers"))
        .startsWith("Authorization, Content-Type, ");

    Response preflight = send(origins, "OPTIONS", "/api/query", "http://a.example");
    assertThat(preflight.status()).isEqualTo(200);
    assertThat(preflight.body()).isEmpty();
    assertThat(preflight.headers()).containsEntry(ALLOW_ORIGIN, "http://a.example");
  }

  @Test
  void otherSitesAreRefusedBeforeTheRequestIsHandled() throws IOException {
    for (String method : new String[] {"GET", "OPTIONS"}) {
      Response refused = send("http://a.example", method, "/api/nosuch", "http://a.example.evil");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("CORS domain not allowed");
      assertThat(refused.headers()).doesNotContainKey(ALLOW_ORIGIN);
    }
    assertThat(send("http://a.example", "GET", "/api/version", "").status()).isEqualTo(200);
    assertThat(send("http://a.example", "OPTIONS", "/api/version", "").status()).isEqualTo(405);
  }

  @Test
  void inStrictModeTheRefusalHasTheStatusOfOpenTsdb() throws IOException {
    TsdbOptions strict =
        TsdbOptions.openTsdbDefaults().with(DaemonSettings.CORS_DOMAINS, "http://a.example");
    try (Served served = Served.start(strict);
        Client client = served.connect()) {
      client.sendRequest("GET", "/api/version", "Origin: http://b.example\r\n", new byte[0]);
      Response refused = client.response();
      assertThat(refused.status()).isEqualTo(200);
      assertThat(refused.body()).contains("CORS domain not allowed");
    }
  }

  /**
   * Browsers send the origin of the server's own page, too, if the request may change something.
   */
  @ParameterizedTest
  @CsvSource({
    "localhost, http://localhost, true",
    "localhost:4242, http://localhost:4242, true",
    "127.0.0.1:4242, http://127.0.0.1:4242, true",
    "[::1]:4242, http://[::1]:4242, true",
    "LOCALHOST:80, http://localhost, true",
    "localhost, https://localhost:443, true",
    "localhost, HTTPS://LOCALHOST, true",
    "localhost:4242, http://localhost:4243, false",
    "localhost:4242, http://localhost, false",
    "localhost:80, https://localhost, false",
    "localhost, http://localhost.evil.example, false",
    "localhost, http://evil.example, false",
    "localhost, localhost, false",
    "localhost, null, false"
  })
  void theOwnPageMayDoEverything(String host, String origin, boolean own) throws IOException {
    try (Served served =
        Served.start(
            TsdbOptions.defaults().with(DaemonSettings.CORS_DOMAINS, "http://a.example"))) {
      for (String request : new String[] {"DELETE /api/query/running?id=1", "GET /healthz"}) {
        try (Client client = served.connect()) {
          client.send(
              request
                  + " HTTP/1.1\r\nConnection: close\r\nHost: "
                  + host
                  + "\r\nOrigin: "
                  + origin
                  + "\r\n\r\n");
          Response response = client.response();
          assertThat(response.body().contains("CORS domain not allowed")).isNotEqualTo(own);
          assertThat(response.status() == 403).as(response.body()).isNotEqualTo(own);
        }
      }
    }
  }

  @Test
  void scriptsOfOtherSitesDoNotGetResponses() throws IOException {
    String policy = "cross-origin-resource-policy";
    String script = "/api/aggregators?jsonp=f";
    assertThat(send("", "GET", script, "").headers()).containsEntry(policy, "same-origin");
    assertThat(send("http://a.example", "GET", script, "").headers())
        .containsEntry(policy, "same-origin");
    assertThat(send("*", "GET", script, "").headers()).doesNotContainKey(policy);
  }

  private static int status(String origins, String origin, String site, String request)
      throws IOException {
    try (Served served =
            Served.start(
                TsdbOptions.defaults()
                    .with(DaemonSettings.CORS_DOMAINS, origins)
                    .with(QuerySettings.ALLOW_DELETE, "true"));
        Client client = served.connect()) {
      String[] parts = request.split(" ", 3);
      String headers = "Sec-Fetch-Site: " + site + "\r\nContent-Type: text/plain\r\n";
      client.sendRequest(
          parts[0],
          parts[1],
          headers + (origin.isEmpty() ? "" : "Origin: " + origin + "\r\n"),
          (parts.length < 3 ? "" : parts[2]).getBytes(UTF_8));
      Response response = client.response();
      if (response.status() == 403) {
        assertThat(response.body()).contains("Pages of other web sites may only read");
      }
      return response.status();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /api/put []",
        "POST /api/uid/assign {}",
        "GET /api/uid/assign?metric=a",
        "GET /api/annotation?start_time=1&description=a&method_override=post",
        "GET /api/query?start=1h-ago&m=sum:m&method_override=delete",
        "POST /api/query {\"start\":1,\"delete\":true,"
            + "\"queries\":[{\"aggregator\":\"sum\",\"metric\":\"m\"}]}",
        "DELETE /api/query/running?id=1",
        "GET /api/dropcaches"
      })
  void pagesOfOtherSitesChangeNothing(String request) throws IOException {
    assertThat(status("", "http://a.example", "cross-site", request)).isEqualTo(403);
    assertThat(status("", "", "cross-site", request)).isEqualTo(403);
    assertThat(status("http://b.example", "", "cross-site", request)).isEqualTo(403);
    assertThat(status("", "http://a.example", "same-origin", request)).isNotEqualTo(403);
    assertThat(status("http://a.example", "http://a.example", "cross-site", request))
        .isNotEqualTo(403);
    assertThat(status("*", "", "cross-site", request)).isNotEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /",
        "GET /metrics",
        "GET /healthz",
        "GET /api/aggregators",
        "GET /api/suggest?type=metrics",
        "POST /api/suggest {\"type\":\"metrics\"}"
      })
  void pagesOfOtherSitesMayCauseReads(String request) throws IOException {
    assertThat(status("", "", "cross-site", request)).isEqualTo(200);
  }

  @Test
  void allSitesMayBeAllowed() throws IOException {
    assertThat(send("*", "GET", "/", "http://any.example").headers())
        .containsEntry(ALLOW_ORIGIN, "http://any.example");
    assertThatThrownBy(() -> send("*,http://a.example", "GET", "/", "").status())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tsd.http.request.cors_domains");
  }
}
