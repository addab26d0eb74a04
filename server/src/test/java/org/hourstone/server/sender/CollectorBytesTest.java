package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.hourstone.server.Served;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs send that write points, byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CollectorBytesTest {
  private static final String OF_NETDATA =
      "{_has_unstable_connection=false, _is_ephemeral=false, host=vm}";

  private Served served;

  @BeforeEach
  void start() throws IOException {
    served = Served.start();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /** A batch of lines; every minute {@code version}, to which any reply proves that it lives. */
  @Test
  void tcollectorByTelnet() throws IOException {
    try (Client client = served.connect()) {
      client.send("version\n");
      assertThat(client.line()).isNotEmpty();
      client.send(
          """
          put proc.loadavg.1min 1500000000 0.42 host=web01
          put df.bytes.total 1500000000 254356480 mount=/boot fstype=ext2 host=web01
          """);
      client.send("version\n");
      assertThat(client.line()).isNotEmpty();
    }
    assertThat(served.points("proc.loadavg.1min"))
        .containsExactly("proc.loadavg.1min{host=web01} 1500000000 0.42");
    assertThat(served.points("df.bytes.total"))
        .containsExactly(
            "df.bytes.total{fstype=ext2, host=web01, mount=/boot} 1500000000 254356480");
  }

  /** Keeps a batch unless it is refused as wrong. */
  @Test
  void tcollectorByHttp() throws IOException {
    String body =
        "[{\"timestamp\": 1500000000, \"metric\": \"proc.loadavg.1min\", \"value\": 0.42,"
            + " \"tags\": {\"host\": \"web01\"}}]";
    try (Client client = served.connect()) {
      client.sendRequest(
          "POST",
          "/api/put?details",
          String.join(
              "\r\n",
              "Accept-Encoding: identity",
              "Content-Type: application/json; charset=UTF-8",
              "User-Agent: Python-urllib/3.11",
              "Connection: close",
              ""),
          body.getBytes(UTF_8));
      assertThat(client.response().body()).isEqualTo("{\"success\":1,\"failed\":0,\"errors\":[]}");
    }
    assertThat(served.points("proc.loadavg.1min")).hasSize(1);
  }

  /** What a client sent when it was recorded. */
  private static byte[] recorded(String client) throws IOException {
    try (InputStream bytes =
        requireNonNull(CollectorBytesTest.class.getResourceAsStream("/clients/" + client))) {
      return bytes.readAllBytes();
    }
  }

  /** Recorded. Requests over a connection that stays open; at first there are no points. */
  @Test
  void netdataByHttp() throws IOException {
    try (Client client = served.connect()) {
      client.send(recorded("netdata-http"));
      for (int status : new int[] {400, 400, 204}) { // as OpenTSDB's
        assertThat(client.response().status()).isEqualTo(status);
      }
    }
    assertThat(served.points("netdata.system.cpu.user"))
        .containsExactly("netdata.system.cpu.user" + OF_NETDATA + " 1795670154 90.06185");
  }

  /** Recorded. */
  @Test
  void netdataByTelnet() throws IOException {
    try (Client client = served.connect()) {
      client.send(recorded("netdata-telnet"));
      client.endOfInput();
      assertThat(client.rest()).isEmpty();
    }
    assertThat(served.points("netdata.system.cpu.nice"))
        .containsExactly("netdata.system.cpu.nice" + OF_NETDATA + " 1795670154 0.2512563");
    assertThat(served.points("netdata.system.cpu.guest")).hasSize(2);
  }

  /** Recorded, with a service whose name has a blank. */
  @Test
  void icinga() throws IOException {
    try (Client client = served.connect()) {
      client.send(recorded("icinga"));
      client.endOfInput();
      assertThat(client.rest()).isEmpty();
    }
    assertThat(served.points("icinga.service.ping_4.rta"))
        .containsExactly(
            "icinga.service.ping_4.rta{host=web01.example.com} 1795670203 1.23E-4",
            "icinga.service.ping_4.rta{host=web01.example.com} 1795670204 1.23E-4");
    assertThat(served.points("icinga.host.state"))
        .containsExactly("icinga.host.state{host=web01.example.com} 1795670204 0");
    assertThat(served.points("icinga.check.latency")).hasSize(2);
  }

  /** Two spaces before the tags; it never reads. */
  @Test
  void icingaWithNamesThatAreRefused() throws IOException {
    try (Client client = served.connect()) {
      client.send(
          """
          put icinga.host.state 1500000000 0  host=web01\s
          put icinga.service.ping4.rta 1500000000 0.000123  host=web01 service=ping4
          put icinga.service.ping(4).rta 1500000000 1  host=web01
          """);
      client.endOfInput();
      assertThat(client.rest().lines()).singleElement().asString().startsWith("put: ");
    }
    assertThat(served.points("icinga.host.state")).hasSize(1);
    assertThat(served.points("icinga.service.ping4.rta"))
        .containsExactly("icinga.service.ping4.rta{host=web01, service=ping4} 1500000000 1.23E-4");
  }

  /** Anything but 204 makes it send the batch again. */
  @Test
  void scollector() throws IOException {
    String body =
        "[{\"metric\":\"os.cpu\",\"timestamp\":1500000000,\"value\":12.25,"
            + "\"tags\":{\"host\":\"web01\"}},{\"metric\":\"os.mem.free\","
            + "\"timestamp\":1500000000,\"value\":123456789,\"tags\":{\"host\":\"web01\"}}]";
    try (Client client = served.connect()) {
      for (int i = 0; i < 2; i++) {
        client.sendRequest(
            "POST",
            "/api/put",
            String.join(
                "\r\n",
                "User-Agent: Scollector/0.9.0",
                "X-Access-Token: secret",
                "Content-Encoding: gzip",
                "Content-Type: application/json",
                ""),
            SentRequest.gzip(body));
        assertThat(client.response().status()).isEqualTo(204);
      }
    }
    assertThat(served.points("os.cpu")).containsExactly("os.cpu{host=web01} 1500000000 12.25");
  }

  /** What bosun asks: times as dates, an error as an object. */
  @Test
  void bosun() throws IOException {
    scollector();
    String query =
        "{\"start\":\"2017/07/14-02:00:00\",\"end\":\"2017/07/14-03:00:00\",\"queries\":["
            + "{\"metric\":\"%s\",\"aggregator\":\"avg\",\"tags\":{\"host\":\"*\"}}]}";

    assertThat(served.post("/api/query", query.formatted("os.cpu")).body())
        .isEqualTo(
            "[{\"metric\":\"os.cpu\",\"tags\":{\"host\":\"web01\"},\"aggregateTags\":[],"
                + "\"dps\":{\"1500000000\":12.25}}]");
    assertThat(served.post("/api/query", query.formatted("nosuch")).body())
        .startsWith("{\"error\":{\"code\":400,\"message\":");
  }
}
