package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.ValueSource;

/** However a connection ends, what was received is executed, and what was responded arrives. */
@Timeout(value = 80, unit = TimeUnit.SECONDS)
class ConnectionEndTest {
  private static final String QUERY = "/api/query?start=1500000000&end=1500100000&m=none:m{h=*}";

  private static final Duration PATIENT = Duration.ofMinutes(2);

  private Tsdb db;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    db = Tsdb.open("memory:", TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    server = Server.start(db, Build.of("1.2.3"), options(1_000, PATIENT), Plotter.none());
  }

  private static ServerOptions options(int connections, Duration patience) {
    ServerOptions usual = ServerTest.options(InetAddress.getLoopbackAddress());
    return new ServerOptions(
        usual.address(),
        connections,
        usual.bodies(),
        usual.maxLine(),
        usual.requests(),
        new ServerOptions.Patience(patience, PATIENT));
  }

  private void restart(int connections, Duration patience) throws IOException {
    server.close();
    server = Server.start(db, Build.of("1.2.3"), options(connections, patience), Plotter.none());
  }

  @AfterEach
  void stop() {
    server.close();
    db.close();
  }

  private static String lines(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> "put m " + (1_500_000_000 + i) + " 1 h=a\n")
        .collect(Collectors.joining());
  }

  @Test
  void aConnectionWithoutAByteEndsWithItsClient() throws IOException {
    try (Client client = new Client(server.address())) {
      client.endOfInput();

      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n", "version\n"})
  void aConnectionTooManyGetsTheReason(String request) throws IOException {
    restart(1, PATIENT);
    try (Client first = new Client(server.address())) {
      first.send("version\n");
      first.line();
      try (Client tooMany = new Client(server.address())) {
        tooMany.send(request);

        String response = tooMany.rest();

        assertThat(response).contains("too many connections");
        if (request.startsWith("GET")) {
          assertThat(response).startsWith("HTTP/1.1 503 ").contains("\r\nRetry-After: 1\r\n");
        }
      }
    }
  }

  @Test
  void stoppingDoesNotWaitForAConnectionWithoutAByte() throws IOException {
    try (Client client = new Client(server.address());
        Client accepted = new Client(server.address())) {
      accepted.send("version\n");
      accepted.line(); // so that the connection before it has been accepted, too

      server.close();

      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void linesAreExecutedThoughTheClientClosesWithoutReadingItsReplies() throws IOException {
    int number = 1_000; // what the systems of both sides take at once
    try (Client client = new Client(server.address())) {
      client.send("version\n");
      client.awaitByte();
      client.send(lines(number) + "wrong\n".repeat(100));
    } // with a reset, since a reply was not read

    while (db.writer().stats().stored() < number) {
      db.flush(); // until all have been executed
    }
  }

  @Test
  void aRefusalArrivesThoughTheBodyIsStillBeingSent() throws IOException {
    try (Client client = new Client(server.address())) {
      client.sendRequest("POST", "/api/put", "", new byte[32 << 20]);

      assertThat(client.response().status()).isEqualTo(413);
    }
  }

  @Test
  void aResponseIsSentToItsEndThoughTheServerStops() throws Exception {
    try (Client client = new Client(server.address())) {
      client.send(lines(100_000));
      client.endOfInput();
      client.rest();
    }
    db.flush();
    try (Client client = new Client(server.address())) {
      String pair = "GET " + QUERY + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      client.send(pair.repeat(20));
      client.awaitByte();
      Thread stopping = new Thread(server::close);
      stopping.start();

      assertThat(client.rest()).as("whole responses").endsWith("}]\r\n0\r\n\r\n");
      stopping.join();
    }
  }

  @Test
  void aHeadRequestSentAheadDoesNotTakeTheBodyOfTheOneBefore() throws IOException {
    try (Client client = new Client(server.address())) {
      String announced = "Expect: 100-continue\r\nContent-Length: 18\r\n";
      client.sendRequest("POST", "/api/suggest", announced, new byte[0]);
      assertThat(client.response().status()).isEqualTo(100);
      client.send("{\"type\":\"metrics\"}HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(client.response().body()).isEqualTo("[]");
      assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void aClientOfHttp10GetsNoChunks() throws IOException {
    try (Client client = new Client(server.address())) {
      client.send(lines(5_000));
      client.endOfInput();
      client.rest();
    }
    db.flush();
    try (Client client = new Client(server.address())) {
      client.send(
          "GET " + QUERY + " HTTP/1.0\r\nAccept-Encoding: gzip\r\nConnection: keep-alive\r\n\r\n");
      Response response = client.response();

      assertThat(response.headers())
          .doesNotContainKey("transfer-encoding")
          .containsEntry("connection", "close");
      assertThat(new String(response.content(), UTF_8)).startsWith("[{").endsWith("}]");
    }
  }

  @Test
  void aClientThatOnlySendsNothingMoreIsAnswered() throws IOException {
    try (Client client = new Client(server.address())) {
      String get = "GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n";
      client.send(get + get + "GET /api/ver");
      client.endOfInput();

      assertThat(client.rest().split("\"version\":\"1.2.3\"")).hasSize(3);
    }
  }

  @Test
  void aBodyThatIsCompressedWronglyEndsNeitherTheRequestBeforeNorTheOneAfter() throws IOException {
    try (Client client = new Client(server.address())) {
      String get = "GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n";
      String body = "this is not gzip";
      String post =
          """
          POST /api/put HTTP/1.1\r
          Host: localhost\r
          Content-Encoding: gzip\r
          Content-Length: %d\r
          \r
          %s\
          """;
      client.send(get + post.formatted(body.length(), body) + get);

      assertThat(client.response().status()).isEqualTo(200);
      assertThat(client.response().status()).isEqualTo(400);
      assertThat(client.response().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12345678",
        "GET /api/version HTTP/1.1\r\nHost: tes"
      })
  void aRequestThatDoesNotArriveInTimeIsRefused(String most) throws IOException {
    restart(1_000, Duration.ofMillis(200));
    try (Client client = new Client(server.address())) {
      client.send(most);

      assertThat(client.response().status()).isEqualTo(408);
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
  void aResponseThatIsBrokenOffIsNotTakenForAWholeOne(String version) throws IOException {
    try (Client client = new Client(server.address())) {
      client.send(lines(100_000));
      client.endOfInput();
      client.rest();
    }
    db.flush();
    String aggregators = // so that no system takes all of the response before it is read
        "min max avg dev count first last median diff mult zimsum pfsum mimmin mimmax p50 p90";
    String queries =
        Stream.of(aggregators.split(" "))
            .map(name -> "&m=" + name + ":m")
            .collect(Collectors.joining());
    try (Client client = new Client(server.address())) {
      client.send("GET " + QUERY + queries + " " + version + "\r\nHost: localhost\r\n\r\n");
      client.awaitByte();
      db.runningQueries().list().forEach(query -> db.runningQueries().kill(query.id(), "test"));

      if (version.equals("HTTP/1.0")) {
        assertThatThrownBy(client::rest).isInstanceOf(SocketException.class);
      } else {
        assertThat(client.rest()).startsWith("HTTP/1.1 200").doesNotEndWith("\r\n0\r\n\r\n");
      }
    }
  }
}
