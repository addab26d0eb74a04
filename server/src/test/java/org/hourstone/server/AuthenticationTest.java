package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers get nothing, others what their roles allow. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AuthenticationTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";
  private static final String QUERY = "/api/query?start=1500000000&m=none:m";
  private static final String READER = basic("reader", "pass:word");
  private static final String WRITER = bearer("token-of-the-writer");
  private static final String ADMIN = basic("admin", "grüß");

  @TempDir Path directory;
  private Served served;

  private static String basic(String user, String password) {
    return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  private static String bearer(String token) {
    return "Bearer " + token;
  }

  private TsdbOptions options(String... lines) throws IOException {
    Path file = Files.write(directory.resolve("accounts"), List.of(lines));
    return TsdbOptions.defaults()
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(QuerySettings.ALLOW_DELETE, "true")
        .with(DaemonSettings.AUTHENTICATION, "true")
        .with(DaemonSettings.ACCOUNTS, file.toString());
  }

  @BeforeEach
  void start() throws IOException {
    served =
        Served.start(
            options(
                "# who may do what",
                "",
                Accounts.userLine("reader", "read", "pass:word"),
                Accounts.tokenLine("collector", "write", "token-of-the-writer"),
                Accounts.userLine("admin", "admin", "grüß")));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Response send(String authorization, String method, String uri, String body)
      throws IOException {
    try (Client client = served.connect()) {
      String header = authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
      client.sendRequest(method, uri, header, body.getBytes(UTF_8));
      return client.response();
    }
  }

  private int get(String authorization, String uri) throws IOException {
    return send(authorization, "GET", uri, "").status();
  }

  /** As scollector sends it. */
  @Test
  void aTokenMayBeInAHeaderOfItsOwn() throws IOException {
    for (String[] sent :
        new String[][] {
          {"X-Access-Token: token-of-the-writer\r\n", "204"},
          {"X-Access-Token: token-of-the-writer2\r\n", "401"},
          {"X-Access-Token: pass:word\r\n", "401"},
          {"X-Access-Token: \r\n", "401"},
          {"X-Access-Token: token-of-the-writer\r\nAuthorization: Bearer no\r\n", "401"},
        }) {
      try (Client client = served.connect()) {
        client.sendRequest("POST", "/api/put", sent[0], POINT.getBytes(UTF_8));
        assertThat(client.response().status()).as(sent[0]).isEqualTo(Integer.parseInt(sent[1]));
      }
    }
  }

  @Test
  void strangersGetNothing() throws IOException {
    for (String authorization :
        List.of(
            "",
            "Basic",
            "Basic !!!",
            "Basic " + Base64.getEncoder().encodeToString("reader".getBytes(UTF_8)),
            basic("reader", "wrong"),
            basic("stranger", "pass:word"),
            basic("stranger", ""),
            basic("collector", "token-of-the-writer"),
            bearer("pass:word"),
            bearer("token-of-the-writer2"),
            "Digest token-of-the-writer")) {
      for (String uri : List.of("/api/version", "/", "/metrics", "/api/nosuch", QUERY)) {
        assertThat(get(authorization, uri)).as("%s of '%s'", uri, authorization).isEqualTo(401);
      }
    }
    Response refused = send("", "POST", "/api/put", POINT);
    assertThat(refused.body()).startsWith("{\"error\":{\"code\":401,\"message\":\"Unauthorized\"");
    assertThat(refused.headers().get("www-authenticate")).isNotNull();
    assertThat(get("", "/healthz")).isEqualTo(200);
    assertThat(get("", "/readyz?x")).isEqualTo(200);
  }

  @Test
  void rolesSayWhatIsAllowed() throws IOException {
    assertThat(send(WRITER, "POST", "/api/put?sync", POINT).status()).isEqualTo(204);
    assertThat(send(READER, "POST", "/api/put", POINT).status()).isEqualTo(403);
    assertThat(get(READER, QUERY)).isEqualTo(200);
    assertThat(get(READER, QUERY)).as("the second time").isEqualTo(200);
    assertThat(get(WRITER, QUERY)).isEqualTo(403);
    assertThat(get(WRITER, "/metrics")).isEqualTo(403);
    for (String uri : List.of("/", "/metrics", "/api/stats", "/api/suggest?type=metrics")) {
      assertThat(get(READER, uri)).as(uri).isEqualTo(200);
      assertThat(get(ADMIN, uri)).as(uri).isEqualTo(200);
    }
    for (String uri :
        List.of(
            "/api/dropcaches",
            "/api/v1/uid/rename?metric=m&name=n",
            "/api/annotation?start_time=1500000000&method_override=post",
            "/api/uid/assign?metric=x",
            QUERY + "&method_override=delete")) {
      assertThat(get(READER, uri)).as(uri).isEqualTo(403);
    }
    assertThat(get(WRITER, "/api/uid/assign?metric=x")).isEqualTo(200);
    assertThat(get(WRITER, "/api/dropcaches")).isEqualTo(403);
    assertThat(send(READER, "POST", "/api/tree", "{}").status()).isEqualTo(403);
    for (String who : List.of(READER, WRITER)) {
      assertThat(send(who, "POST", "/api/admin/backup", "").body()).contains("role [admin]");
    }
    assertThat(send(ADMIN, "POST", "/api/admin/backup", "").body())
        .contains("hourstone.backup.directory");
  }

  @Test
  void onlyAnAdminDeletes() throws IOException {
    send(WRITER, "POST", "/api/put?sync", POINT);
    String delete =
        "{\"start\":1500000000,\"delete\":true,"
            + "\"queries\":[{\"metric\":\"m\",\"aggregator\":\"none\"}]}";

    assertThat(send(READER, "POST", "/api/query", delete).status()).isEqualTo(403);
    assertThat(send(READER, "DELETE", QUERY, "").status()).isEqualTo(403);
    assertThat(send(READER, "GET", QUERY, "").body()).contains("1500000000");
    assertThat(send(ADMIN, "DELETE", QUERY, "").status()).isEqualTo(200);
    assertThat(send(READER, "GET", QUERY, "").body()).doesNotContain("1500000000");
  }

  @Test
  void telnetIsRefusedUnlessASettingAllowsIt() throws IOException {
    try (Client client = served.connect()) {
      client.send("put m 1500000000 1 h=a\nversion\n");
      assertThat(client.rest()).startsWith("authentication is required").hasLineCount(1);
    }
    assertThat(served.db().writer().stats().stored()).isZero();
    try (Served open = Served.start(options().with(DaemonSettings.ALLOW_TELNET, "true"));
        Client client = open.connect()) {
      client.send("version\n");
      assertThat(client.line()).startsWith("hourstone ");
    }
  }

  @Test
  void bodiesOfStrangersLeaveRoomForOthers() throws Exception {
    Authentication authentication = Authentication.of(served.db().engine().options());
    ClientLimits limits = new ClientLimits(1_000);
    Function<HttpRequest, ClientMemory> bodies =
        head -> limits.bodies(authentication.isKnown(head));
    assertThat(bodies.apply(from("")).take(500)).isTrue();
    for (String stranger : List.of("", bearer("x"), basic("reader", "x"), READER)) {
      assertThat(bodies.apply(from(stranger)).take(1)).as(stranger).isFalse();
    }
    authentication.roles(from(READER)); // from now on its password is known

    assertThat(bodies.apply(from(READER)).take(300)).isTrue();
    assertThat(bodies.apply(from(WRITER)).take(201)).isFalse();
    assertThat(bodies.apply(from(WRITER)).take(200)).isTrue();
    bodies.apply(from("")).release(500);
    assertThat(bodies.apply(from(WRITER)).take(500)).isTrue();
    assertThat(bodies.apply(from("")).take(1)).isFalse();
  }

  private static HttpRequest from(String credentials) {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/api/put");
    request.headers().set("authorization", credentials);
    return request;
  }

  @Test
  void aWrongFileIsReportedWithoutItsSecrets() throws IOException {
    for (String line :
        List.of(
            "alice read",
            "alice read pbkdf2-sha256:0:AAAA:AAAA",
            "alice read pbkdf2-sha256:x:AAAA:AAAA",
            "alice read secret",
            "alice reed " + Secret.Token.of("t").text(),
            "al/ice read " + Secret.Token.of("t").text())) {
      assertThatThrownBy(() -> Served.start(options("# first", line)))
          .as(line)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("accounts:2: not a name, roles and a secret");
    }
    String alice = "alice read " + Secret.Password.of("p").text();
    assertThatThrownBy(() -> Served.start(options(alice, alice)))
        .hasMessageEndingWith("accounts:2: a second password of a user: remove the first");
    assertThatThrownBy(() -> Served.start(options().with(DaemonSettings.ACCOUNTS, "")))
        .hasMessage("tsd.core.authentication.enable needs hourstone.auth.file");
    assertThatThrownBy(() -> Served.start(options().with(DaemonSettings.ACCOUNTS, "/no/such/file")))
        .hasMessage("hourstone.auth.file=/no/such/file: no such file");
    Path latin = Files.write(directory.resolve("latin"), new byte[] {(byte) 0xFC});
    assertThatThrownBy(
            () -> Served.start(options().with(DaemonSettings.ACCOUNTS, latin.toString())))
        .hasMessage("hourstone.auth.file=" + latin + ": not UTF-8 text");
  }

  @Test
  void aPageOfAnotherSiteMayAskFirstWithoutAnAccount() throws IOException {
    try (Served open = Served.start(options().with(DaemonSettings.CORS_DOMAINS, "*"));
        Client client = open.connect()) {
      client.sendRequest("OPTIONS", QUERY, "Origin: http://a.example\r\n", new byte[0]);
      assertThat(client.response().status()).isEqualTo(200);
      client.sendRequest("GET", QUERY, "Origin: http://a.example\r\n", new byte[0]);
      assertThat(client.response().status()).isEqualTo(401);
    }
  }

  @Test
  void clientsOfInfluxDbHaveWaysOfTheirOwn() throws IOException {
    String line = "m,h=a f=1i 1500000000000000000";
    String users = Accounts.userLine("me", "write", "pass:w\u00f6rd");
    try (Served other = Served.start(options(users, Accounts.tokenLine("t", "write", "a-token")))) {
      for (String good :
          List.of("Token a-token", "token me:pass:w\u00f6rd", basic("me", "pass:w\u00f6rd"))) {
        assertThat(influx(other, good, "/write", line).status()).as(good).isEqualTo(204);
      }
      for (String wrong :
          List.of("", "Token b", "Token me:pass", "Token ", "Token me:", "Tokens a-token")) {
        Response refused = influx(other, wrong, "/write", line);
        assertThat(refused.status()).as(wrong).isEqualTo(401);
        assertThat(refused.body())
            .isEqualTo("{\"error\":\"Unauthorized: Missing or invalid credentials\"}");
        assertThat(influx(other, wrong, "/api/v2/write", line).body())
            .startsWith("{\"code\":\"unauthorized\",\"message\":\"Unauthorized: ");
      }
      String password = "p=pass%3Aw%C3%B6rd";
      assertThat(influx(other, "", "/write?u=me&" + password, line).status()).isEqualTo(204);
      assertThat(influx(other, "", "/query?u=me&" + password + "&q=SHOW+DATABASES", "").status())
          .isEqualTo(200);
      for (String wrong :
          List.of(
              "/write?u=me&p=pass",
              "/write?u=me",
              "/write?" + password,
              "/write?u=me&p=%zz",
              "/write?u=me&u=me&" + password,
              "/api/v2/write?u=me&" + password,
              "/api/put?u=me&" + password)) {
        assertThat(influx(other, "", wrong, line).status()).as(wrong).isEqualTo(401);
      }
      // Vector sends an empty token beside the parameters.
      for (String empty : List.of("Token ", "Token", "token")) {
        assertThat(influx(other, empty, "/write?u=me&" + password, line).status()).isEqualTo(204);
        assertThat(influx(other, empty, "/write?u=me&p=pass", line).status()).isEqualTo(401);
      }
      // The header counts if there is one.
      assertThat(influx(other, "Token b", "/write?u=me&" + password, line).status()).isEqualTo(401);
      assertThat(other.db().uids().find(UidKind.METRIC, "m.f")).isNotNull();
    }
  }

  private static Response influx(Served to, String authorization, String uri, String body)
      throws IOException {
    try (Client client = to.connect()) {
      String header =
          authorization.isEmpty()
              ? ""
              : "Authorization: " + new String(authorization.getBytes(UTF_8), ISO_8859_1) + "\r\n";
      client.sendRequest("POST", uri, header, body.getBytes(UTF_8));
      return client.response();
    }
  }
}
