package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only requests for the server's own names are answered. */
class HostNamesTest {
  private static final String VERSION = "GET /api/version HTTP/1.1";

  private static TsdbOptions hosts(String hosts) {
    return TsdbOptions.defaults().with(DaemonSettings.HOSTS, hosts);
  }

  /**
   * @param head with {@code |} between its lines
   */
  private static Response send(TsdbOptions options, String head) throws IOException {
    try (Served served = Served.start(options);
        Client client = served.connect()) {
      client.send(head.replace("|", "\r\n") + "\r\n\r\n");
      client.endOfInput();
      return client.response();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:4242",
        "LocalHost.",
        "db.localhost:80",
        "127.0.0.1",
        "127.0.0.1:4242",
        "10.1.2.3:4242",
        "[::1]",
        "[::1]:4242",
        "[fe80::1%25eth0]:4242",
        "[::ffff:127.0.0.1]:4242",
        "tsdb.example.com",
        "TSDB.Example.com.:4242",
        "tsdb:4242",
        "xn--mnchen-3ya.example"
      })
  void ownNamesAndAddressesAreAccepted(String host) throws IOException {
    TsdbOptions options = hosts(" tsdb.example.com , TSDB,,münchen.example");
    assertThat(send(options, VERSION + "|Host: " + host).status()).isEqualTo(200);
    assertThat(send(options, "GET http://" + host + "/ HTTP/1.1|Host: localhost").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:4242",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evillocalhost",
        "sub.tsdb.example.com",
        "tsdb.example.com.evil.example",
        "tsdb.example.com@evil.example",
        "evil.example@tsdb.example.com",
        "tsdb.example.com:4242:4242",
        "tsdb.example.com:x",
        "tsdb.example.com, localhost",
        "2130706433",
        "0x7f.1",
        "127.1",
        "[::1",
        "[::1]evil.example",
        "[evil.example]",
        "::1",
        "..",
        ":4242",
        "*"
      })
  void othersAreRefused(String host) throws IOException {
    TsdbOptions options = hosts("tsdb.example.com");
    List<String> paths = List.of("/", "/s/app.js", "/api/suggest", "/metrics", "/logs", "/nosuch");
    try (Served served = Served.start(options);
        Client client = served.connect()) {
      for (String path : paths) {
        for (String method : List.of("GET", "POST", "OPTIONS")) {
          client.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
          Response refused = client.response();
          assertThat(refused.status()).as(path).isEqualTo(403);
          assertThat(refused.body()).contains("hourstone.http.hosts");
        }
      }
      assertThat(client(served, "GET /healthz HTTP/1.1|Host: " + host)).isEqualTo(200);
      assertThat(client(served, VERSION.replace("1.1", "1.0") + "|Host: " + host)).isEqualTo(403);
      assertThat(served.get("/api/stats").body())
          .contains("{\"metric\":\"tsd.http.hosts_refused\"")
          .contains("\"value\":\"" + (3 * paths.size() + 1) + "\"");
    }
  }

  private static int client(Served served, String head) throws IOException {
    try (Client client = served.connect()) {
      client.send(head.replace("|", "\r\n") + "\r\n\r\n");
      return client.response().status();
    }
  }

  @Test
  void theHostOfAWholeUrlIsChecked() throws IOException {
    TsdbOptions options = hosts("tsdb.example.com");
    for (String url : List.of("http://evil.example/api/version", "HTTPS://evil.example?x")) {
      assertThat(send(options, "GET " + url + " HTTP/1.1|Host: localhost").status()).isEqualTo(403);
      assertThat(send(options, "GET " + url + " HTTP/1.0").status()).isEqualTo(403);
    }
    assertThat(send(options, "GET http://localhost/ HTTP/1.1|Host: evil.example").status())
        .isEqualTo(403);
    assertThat(send(options, "GET http://tsdb.example.com/ HTTP/1.0").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /api/version HTTP/1.1, 400, 200",
    "GET /api/version HTTP/1.1|Host:, 400, 200",
    "GET /api/version HTTP/1.0, 200, 200",
    "GET /api/version HTTP/1.0|Host:, 200, 200",
    "GET /api/version HTTP/1.1|Host: localhost|Host: localhost, 400, 200",
    "GET /api/version HTTP/1.1|Host: localhost|Host: evil.example, 400, 200",
    "GET /api/version HTTP/1.0|Host: localhost|Host: localhost, 400, 200",
    "GET /api/version HTTP/1.1|Host: evil.example, 403, 200",
    "GET /healthz HTTP/1.1|Host: localhost|Host: localhost, 400, 200",
    "GET /healthz HTTP/1.1, 200, 200",
    "GET /readyz HTTP/1.0, 200, 200",
    "HEAD /readyz HTTP/1.1|Host: lb.example, 200, 200"
  })
  void aRequestHasOneHost(String head, int status, int inStrictMode) throws IOException {
    assertThat(send(hosts(""), head).status()).isEqualTo(status);
    assertThat(send(TsdbOptions.openTsdbDefaults(), head).status()).isEqualTo(inStrictMode);
  }

  @Test
  void anyNameMayBeAccepted() throws IOException {
    assertThat(send(hosts("*"), VERSION + "|Host: any.example").status()).isEqualTo(200);
    assertThat(send(hosts("*"), VERSION).status()).isEqualTo(400);
    TsdbOptions strict = TsdbOptions.openTsdbDefaults().with(DaemonSettings.HOSTS, "a.example");
    assertThat(send(strict, VERSION + "|Host: localhost|Host: b.example").status()).isEqualTo(403);
  }

  @Test
  void theNameToListenOnIsAccepted() throws IOException {
    TsdbOptions options = hosts("").with(DaemonSettings.BIND, "TSDB.example.com");
    assertThat(send(options, VERSION + "|Host: tsdb.example.com:4242").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "tsdb:4242", "http://tsdb", "tsdb/", "*.example.com", "-", "ü ü"})
  void whatIsNotANameIsRefusedAtTheStart(String hosts) {
    assertThatThrownBy(() -> HostNames.of(hosts("ok.example," + hosts)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hourstone.http.hosts: not the name of a host")
        .hasMessageEndingWith(hosts);
  }

  @Test
  void refusalsAreLoggedOnceAMinute() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    HostNames names = new HostNames(Set.of(), false, nanos::get);
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.server")) {
      for (int i = 0; i < 61; i++) {
        assertThat(names.refusal(request("a".repeat(1_000) + i), false)).isNotNull();
        nanos.addAndGet(1_000_000_000);
      }
      assertThat(logged.messages()).hasSize(2);
      assertThat(logged.messages().get(1))
          .contains("'" + "a".repeat(100) + "…'")
          .endsWith(" start: 61");
    }
  }

  private static HttpRequest request(String host) {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    request.headers().set(HttpHeaderNames.HOST, host);
    return request;
  }
}
