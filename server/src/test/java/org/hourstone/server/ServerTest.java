package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One port serves both protocols, whatever clients do to their connections. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServerTest {
  private static final Build BUILD =
      new Build(
          "1.2.3", "85bd7bf3d5a0f2c1e4b6978a0c1d2e3f40516273-dirty", "2026-11-28T04:40:44+00:00");

  private static final int MAX_BODY = 1 << 20;

  /** Not complete; 64 of them take all of the room. */
  private static final String HEAD = "GET /" + "x".repeat(MAX_BODY / 64 - 5);

  private static final String QUERY = "/api/query?start=1500000000&end=1500010000&m=none:m{h=*}";

  private Tsdb db;
  private Server server;

  static ServerOptions options(InetAddress address) {
    return new ServerOptions(
        new InetSocketAddress(address, 0),
        100,
        new ServerOptions.Bodies(MAX_BODY, 4L * MAX_BODY),
        4096,
        new ServerOptions.Requests(4, 100),
        new ServerOptions.Patience(Duration.ofSeconds(20), Duration.ofSeconds(20)));
  }

  @BeforeEach
  void start() throws IOException {
    db = Tsdb.open("memory:", TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    server = Server.start(db, BUILD, options(InetAddress.getLoopbackAddress()), Plotter.none());
  }

  @AfterEach
  void stop() {
    server.close();
    db.close();
  }

  private Response get(String uri) throws IOException {
    return Client.request(server.address(), "GET", uri, "");
  }

  private Client connect() throws IOException {
    return new Client(server.address());
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "put m " + (1_500_000_000 + i) + " " + i + " h=a\n")
        .collect(Collectors.joining());
  }

  private int points() throws IOException {
    db.flush();
    String body = get(QUERY).body();
    return body.equals("[]") ? 0 : body.split("\"15000").length - 1;
  }

  @Test
  void aPointIsPutAndQueriedByHttp() throws IOException {
    String point = "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";

    Response put = Client.request(server.address(), "POST", "/api/put?sync", point);

    assertThat(put.status()).isEqualTo(204);
    assertThat(get(QUERY).body())
        .isEqualTo(
            "[{\"metric\":\"m\",\"tags\":{\"h\":\"a\"},\"aggregateTags\":[],"
                + "\"dps\":{\"1500000000\":1}}]");
  }

  @Test
  void pointsArePutByTelnet() throws IOException {
    try (Client client = connect()) {
      client.send("put m 1500000000 1 h=a\r\n\nput m 1500000001 2 h=a \nput m 15000");
      client.send("00002 3 h=a\nversion\n");

      assertThat(client.line()).isEqualTo("unknown command: .  Try `help'.");
      assertThat(client.line()).startsWith("hourstone 1.2.3 on ");
      assertThat(points()).isEqualTo(3);
    }
  }

  @Test
  void whatIsWrongWithALineIsReplied() throws IOException {
    try (Client client = connect()) {
      client.send("put m 1500000000 x h=a\n");
      assertThat(client.line()).startsWith("put: invalid value: ");

      client.send("put m " + "x".repeat(5_000) + "\nstatus-of-nothing\n");
      assertThat(client.line()).isEqualTo("illegal argument: a line of more than 4096 bytes");
      assertThat(client.line()).isEqualTo("unknown command: status-of-nothing.  Try `help'.");

      client.send("x".repeat(100_000));
      client.send("x\nhelp\n");
      assertThat(client.line()).isEqualTo("illegal argument: a line of more than 4096 bytes");
      assertThat(client.line()).startsWith("available commands: ");
    }
  }

  /** They have a quarter of the memory, so not all of these heads have room. */
  @Test
  void theClientWhoseHeadOrLineIsUnfinishedLongestGivesWayToOthers() throws IOException {
    List<Client> clients = new ArrayList<>();
    try {
      for (int sent = 0; sent < MAX_BODY / 4 * 5; sent += HEAD.length()) {
        Client client = connect();
        clients.add(client);
        client.send(HEAD);
        assertThat(get("/api/version").status()).as("of a small head").isEqualTo(200);
        try (Client telnet = connect()) {
          telnet.send("put m 1500000000 1 h=a\nversion\n");
          assertThat(telnet.line()).startsWith("hourstone 1.2.3 on ");
        }
      }

      assertThat(clients.get(0).line()).startsWith("HTTP/1.1 503");
      assertThat(clients.get(0).rest()).contains("Service Unavailable");
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
    assertThat(get("/api/stats").body()).contains("tsd.connectionmgr.limited", "stuck");
  }

  @Test
  void exitClosesTheConnectionAfterTheRepliesBeforeIt() throws IOException {
    try (Client client = connect()) {
      client.send("version\nexit\nversion\n");

      assertThat(client.rest().lines()).hasSize(1);
    }
  }

  @Test
  void allLinesBeforeTheEndOfInputAreStoredButNotHalfALine() throws IOException {
    try (Client client = connect()) {
      client.send(lines(0, 5_000) + "put m 1500009000 1 h=a");
      client.endOfInput();

      assertThat(client.rest()).contains("a line without a line end").hasLineCount(1);
      assertThat(points()).isEqualTo(5_000);
    }
  }

  @Test
  void aClientThatNeverReadsIsNotHeldUp() throws IOException {
    try (Client silent = connect();
        Client other = connect()) {
      String wrong = "put m 1500000000 this-is-not-a-number h=a\n".repeat(1_000);
      for (int i = 0; i < 300; i++) {
        silent.send(wrong);
      }
      silent.send(lines(0, 1));

      other.send("version\n");
      assertThat(other.line()).startsWith("hourstone ");
      while (points() < 1) {
        Thread.onSpinWait(); // until the last line has been executed
      }
    }
  }

  @Test
  void requestsOfAConnectionAreAnsweredInTheirOrder() throws IOException {
    try (Client client = connect()) {
      String get = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
      String post =
          "POST /api/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18\r\n\r\n"
              + "{\"type\":\"metrics\"}";
      client.send(get.formatted("/api/version") + post + get.formatted("/api/nosuch"));

      assertThat(client.response().body()).contains("\"version\":\"1.2.3\"");
      assertThat(client.response().body()).isEqualTo("[]");
      assertThat(client.response().status()).isEqualTo(404);
    }
  }

  @Test
  void bodiesMayBeCompressedChunkedAndAnnounced() throws IOException {
    String point = "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(point.getBytes(UTF_8));
    }
    try (Client client = connect()) {
      client.sendRequest(
          "POST", "/api/put?sync", "Content-Encoding: gzip\r\n", compressed.toByteArray());
      assertThat(client.response().status()).isEqualTo(204);

      String chunks = "5\r\n{\"typ\r\nd\r\ne\":\"metrics\"}\r\n0\r\n\r\n";
      client.send(
          "POST /api/suggest HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send(chunks);
      assertThat(client.response().body()).isEqualTo("[\"m\"]");

      String announced = "Expect: 100-continue\r\nContent-Length: 18\r\n";
      client.sendRequest("POST", "/api/suggest", announced, new byte[0]);
      assertThat(client.response().status()).isEqualTo(100);
      client.send("{\"type\":\"metrics\"}");
      assertThat(client.response().body()).isEqualTo("[\"m\"]");
    }
  }

  @Test
  void aLongResponseIsSentInChunksAndCompressedIfTheClientWants() throws IOException {
    try (Client client = connect()) {
      client.send(lines(0, 9_000));
      client.endOfInput();
      client.rest();
    }
    db.flush();
    try (Client client = connect()) {
      client.sendRequest("GET", QUERY, "", new byte[0]);
      Response plain = client.response();
      client.sendRequest("GET", QUERY, "Accept-Encoding: gzip\r\n", new byte[0]);
      Response compressed = client.response();
      client.sendRequest("GET", QUERY, "Accept-Encoding: deflate\r\n", new byte[0]);
      Response deflated = client.response();

      assertThat(plain.headers()).containsEntry("transfer-encoding", "chunked");
      assertThat(plain.body()).endsWith("}]");
      assertThat(compressed.headers()).containsEntry("content-encoding", "gzip");
      try (GZIPInputStream gzip =
          new GZIPInputStream(new ByteArrayInputStream(compressed.content()))) {
        assertThat(gzip.readAllBytes()).isEqualTo(plain.content());
      }
      assertThat(deflated.headers()).containsEntry("content-encoding", "deflate");
      try (InflaterInputStream zlib =
          new InflaterInputStream(new ByteArrayInputStream(deflated.content()))) {
        assertThat(zlib.readAllBytes()).isEqualTo(plain.content());
      }
    }
  }

  @Test
  void aClientOfHttp10GetsTheBodyUpToTheEndOfTheConnection() throws IOException {
    try (Client client = connect()) {
      client.send("GET /api/version HTTP/1.0\r\n\r\n");

      assertThat(client.rest())
          .startsWith("HTTP/1.1 200 OK")
          .contains("\"version\":\"1.2.3\"", "\"full_revision\":\"" + BUILD.revision() + "\"")
          .contains("\"short_revision\":\"85bd7bf\"", "\"repo_status\":\"MODIFIED\"")
          .contains("\"timestamp\":\"1795840844\"");
    }
  }

  @Test
  void whatCannotBeReadIsRefused() throws IOException {
    assertThat(get("/api/query?start=%zz").status()).isEqualTo(400);
    try (Client client = connect()) {
      client.send("GET /api/version nonsense\r\n\r\n");
      assertThat(client.response().status()).isEqualTo(400);
    }
    try (Client client = connect()) {
      client.sendRequest("POST", "/api/put", "Content-Encoding: gzip\r\n", new byte[100]);
      assertThat(client.response().status()).isEqualTo(400);
    }
    for (String encoding : new String[] {"br", "gzip, br", "gzip\r\nContent-Encoding: br"}) {
      try (Client client = connect()) {
        client.sendRequest(
            "POST", "/api/put", "Content-Encoding: " + encoding + "\r\n", new byte[100]);
        Response refused = client.response();
        assertThat(refused.status()).isEqualTo(415);
        assertThat(refused.headers()).containsEntry("accept-encoding", "gzip, deflate");
        assertThat(refused.body()).contains("br] is unknown");
      }
    }
    for (String path : new String[] {"/api/put", "/api/query", "/api/v1/write"}) {
      try (Client client = connect()) {
        client.sendRequest("POST", path, "Content-Encoding: snappy\r\n", new byte[] {-1, 0});
        Response refused = client.response();
        boolean isTaken = path.endsWith("write");
        assertThat(refused.status()).isEqualTo(isTaken ? 400 : 415);
        assertThat(refused.body()).contains(isTaken ? "can't be decompressed" : "[snappy]");
      }
    }
    try (Client client = connect()) {
      client.send("POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n");
      Response refused = client.response();
      assertThat(refused.status()).isEqualTo(413);
      assertThat(refused.body()).contains("hourstone.http.max_body_bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "xchunked", "chunked, identity", "identity\r\nContent-Length: 0"})
  void whatMayBeABodyIsNeverTakenForARequest(String encoding) throws IOException {
    try (Client client = connect()) {
      client.send(
          "POST /api/put HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
              + encoding
              + "\r\n\r\nGET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
      client.endOfInput();

      assertThat(client.rest()).startsWith("HTTP/1.1 400 ").doesNotContain("1.2.3");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/2.0, 505",
    "HTTP/9.9, 505",
    "HTTP/1.2, 505",
    "HTTP/0.9, 505",
    "'HTTP/1.1\r\nTransfer-Encoding: gzip, chunked', 501",
    "'HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked', 501",
    "'HTTP/1.1\r\nTransfer-Encoding: chunked, chunked', 501",
    "'HTTP/1.1\r\nTransfer-Encoding: ,chunked', 501"
  })
  void whatCannotBeReadIsRefused(String rest, int status) throws IOException {
    try (Client client = connect()) {
      client.send("POST /api/put " + rest + "\r\nHost: localhost\r\n\r\n0\r\n\r\n");
      client.endOfInput();

      assertThat(client.rest()).startsWith("HTTP/1.1 " + status);
    }
  }

  /** Each part takes a part of the stack if one calls the next. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/put", "/api/query", "/api/annotation"})
  void aBodyOfManyEmptyCompressedPartsIsMalformed(String uri) throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    for (int i = 0; i < 30_000; i++) {
      new GZIPOutputStream(parts).close();
    }
    try (Client client = connect()) {
      client.sendRequest(
          "POST", uri, "Content-Encoding: gzip\r\nConnection: close\r\n", parts.toByteArray());

      assertThat(client.response().status()).isEqualTo(400);
    }
  }

  @Test
  void aBodyThatGrowsBeyondTheLimitWhenDecompressedIsRefused() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write(new byte[8 * MAX_BODY]);
    }
    try (Client client = connect()) {
      client.sendRequest("POST", "/api/put", "Content-Encoding: gzip\r\n", bomb.toByteArray());
      assertThat(client.response().status()).isEqualTo(413);
    }
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
  }

  @Test
  void tooManyConnectionsAreClosed() throws IOException {
    List<Client> open = new java.util.ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        open.add(connect());
        open.get(i).send("version\n");
        open.get(i).line();
      }
      try (Client more = connect()) {
        assertThat(more.rest()).isEmpty();
      }
    } finally {
      for (Client client : open) {
        client.close();
      }
    }
  }

  @Test
  void pagesOfTheServerItself() throws IOException {
    Response page = get("/");

    assertThat(page.headers()).containsEntry("content-type", "text/html; charset=UTF-8");
    assertThat(page.headers().get("content-security-policy")).startsWith("default-src 'none'");
    assertThat(get("/readyz").status()).isEqualTo(200);
    assertThat(get("/nosuch").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/s/app.js", "/metrics", "/healthz", "/readyz?a"})
  void pagesAreOnlyRead(String page) throws IOException {
    for (String method : new String[] {"POST", "PUT", "DELETE", "NONSENSE"}) {
      Response refused = Client.request(server.address(), method, page, "");
      assertThat(refused.status()).as(method).isEqualTo(405);
      assertThat(refused.headers()).containsEntry("allow", "GET, HEAD");
    }
    assertThat(Client.request(server.address(), "HEAD", page, "").status()).isEqualTo(200);
  }

  @Test
  void headIsOnlyForPages() throws IOException {
    for (String uri : new String[] {QUERY, "/version", "/api/uid/assign?metric=new"}) {
      assertThat(Client.request(server.address(), "HEAD", uri, "").status()).as(uri).isEqualTo(405);
    }
    assertThat(get("/api/suggest?type=metrics").body()).isEqualTo("[]");
    try (Client client = connect()) {
      client.send(
          "HEAD " + QUERY + " HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 405").endsWith("\r\n\r\nok\n");
    }
  }

  @Test
  void completedQueriesAreListedWithTheirClients() throws IOException {
    get(QUERY);

    assertThat(get("/api/stats/query").body())
        .contains("\"completed\":[{\"query\":\"none:m{h=wildcard(*)}\"")
        .contains("\"client\":\"127.0.0.1:", "\"code\":400", "\"sentToClient\":true");
  }

  @Test
  void aTargetMayBeAWholeUrl() throws IOException {
    assertThat(get("http://localhost:4242/api/version").body()).contains("\"version\":\"1.2.3\"");
    assertThat(get("HTTPS://localhost/healthz?x=/").body()).isEqualTo("ok\n");
    assertThat(get("http://localhost").status()).isEqualTo(200);
    assertThat(get("http://localhost?x").status()).isEqualTo(200);
  }

  @Test
  void statisticsCountWhatWasReceived() throws IOException {
    try (Client client = connect()) {
      client.send("put m 1500000000 1 h=a\nstats\n");

      assertThat(client.line()).startsWith("tsd.connectionmgr.connections ");
    }
    db.flush();
    assertThat(get("/stats").body())
        .containsPattern("tsd.rpc.received \\d+ 2 host=\\S+ type=telnet\n")
        .containsPattern("tsd.datapoints.added \\d+ 1 host=\\S+ type=all\n");
  }

  @Test
  void linesReceivedBeforeItStopsAreStored() throws IOException {
    try (Client client = connect()) {
      client.send(lines(0, 3_000) + "version\n");
      client.line(); // all lines before it have been executed

      server.close();

      assertThat(client.rest()).isEmpty();
    }
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    db.flush();
    assertThat(db.writer().stats().stored()).isEqualTo(3_000);
  }
}
