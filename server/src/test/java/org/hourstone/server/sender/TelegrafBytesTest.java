package org.hourstone.server.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client;
import org.hourstone.server.Client.Response;
import org.hourstone.server.Served;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of Telegraf's outputs, by hand, following their source. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TelegrafBytesTest {
  private static final String LINES =
      """
      cpu,cpu=cpu-total,host=web01 usage_idle=91.5,usage_steal=0.0000001 1500000000000000000
      win\\ disk,host=web01,path=C:\\Program\\ Files\\,\\ x\\=y,text=a\\nb free=-3i,ok=true 1500000000250000000
      system,host=web01,ort=M\u00fcnchen load1=1e2,uptime_format="1 day, \\"2:03\\"\\\\" 1500000000000000000
      net,host=web01 bytes_recv=9223372036854775807i,drop_in=42u 1500000000000000000
      big,host=web01 value=10000000000000000000000 1500000000000000000
      """;

  private Served served;

  @BeforeEach
  void start() throws IOException {
    served = Served.start();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private void assertLinesAreStored() throws IOException {
    assertThat(served.points("cpu.usage_idle"))
        .containsExactly("cpu.usage_idle{cpu=cpu-total, host=web01} 1500000000 91.5");
    assertThat(served.points("cpu.usage_steal"))
        .containsExactly("cpu.usage_steal{cpu=cpu-total, host=web01} 1500000000 1.0E-7");
    String disk = "{host=web01, path=U__C_3a__5c_Program_20_Files_2c__20_x_3d_y, text=U__a_5c_nb}";
    assertThat(served.points("U__win_20_disk.free"))
        .containsExactly("U__win_20_disk.free" + disk + " 1500000000250 -3");
    assertThat(served.points("U__win_20_disk.ok"))
        .containsExactly("U__win_20_disk.ok" + disk + " 1500000000250 1");
    assertThat(served.points("system.load1"))
        .containsExactly("system.load1{host=web01, ort=M\u00fcnchen} 1500000000 100.0");
    assertThat(served.points("net.bytes_recv"))
        .containsExactly("net.bytes_recv{host=web01} 1500000000 9223372036854775807");
    assertThat(served.points("net.drop_in"))
        .containsExactly("net.drop_in{host=web01} 1500000000 42");
    assertThat(served.points("big.value"))
        .containsExactly("big.value{host=web01} 1500000000 1.0E22");
  }

  /** {@code outputs.influxdb}: a database at first, then lines in chunks that are compressed. */
  @Test
  void influxDb() throws IOException {
    Response created =
        new SentRequest(
                """
                POST /query HTTP/1.1
                Host: localhost:4242
                User-Agent: Telegraf/1.30.3 Go/1.22.3
                Content-Type: application/x-www-form-urlencoded
                Authorization: Basic dGVsZWdyYWY6c2VjcmV0
                Accept-Encoding: gzip
                """,
                "q=CREATE+DATABASE+%22telegraf%22")
            .to(served);
    assertThat(created.status()).isEqualTo(200);
    assertThat(created.body()).startsWith("{\"results\":[{").doesNotContain("error");

    for (String uri : new String[] {"db=telegraf", "consistency=any&db=telegraf&rp=autogen"}) {
      Response written =
          new SentRequest(
                  """
                  POST /write?%s HTTP/1.1
                  Host: localhost:4242
                  User-Agent: Telegraf/1.30.3 Go/1.22.3
                  Authorization: Basic dGVsZWdyYWY6c2VjcmV0
                  Content-Encoding: gzip
                  Content-Type: text/plain; charset=utf-8
                  Accept-Encoding: gzip
                  """
                      .formatted(uri),
                  SentRequest.gzip(LINES))
              .inChunksTo(served);
      assertThat(written.status()).as(written.body()).isEqualTo(204);
    }
    assertLinesAreStored();
  }

  /** Its reason is in the log of Telegraf, which drops the points, as it does after any 4xx. */
  @Test
  void influxDbWithALineThatIsRefused() throws IOException {
    String head =
        """
        POST /write?db=telegraf HTTP/1.1
        Host: localhost:4242
        User-Agent: Telegraf/1.30.3 Go/1.22.3
        Content-Type: text/plain; charset=utf-8
        """;
    Response response = new SentRequest(head, LINES + "m,h=a f=1 -5\n").inChunksTo(served);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"error\":\"partial write: line 6: the time ");
    assertLinesAreStored();
  }

  /** {@code outputs.influxdb_v2}. */
  @Test
  void influxDbOfVersion2() throws IOException {
    Response response =
        new SentRequest(
                """
                POST /api/v2/write?bucket=telegraf&org=acme HTTP/1.1
                Host: localhost:4242
                User-Agent: Telegraf/1.30.3 Go/1.22.3
                Authorization: Token secret
                Content-Encoding: gzip
                Content-Type: text/plain; charset=utf-8
                Accept-Encoding: gzip
                """,
                SentRequest.gzip(LINES))
            .inChunksTo(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    assertLinesAreStored();
  }

  /** {@code outputs.opentsdb}: older ones have a misspelt type of content and values as strings. */
  @Test
  void openTsdbByHttp() throws IOException {
    for (String quote : new String[] {"\"", ""}) {
      String body =
          """
          [{"metric":"cpu_usage_idle","timestamp":1500000000,"value":~91.5~,"tags":{"cpu":"cpu-total","host":"web01"}}
          ,{"metric":"mem_free","timestamp":1500000000,"value":~1048576~,"tags":{"host":"web01"}}
          ]\
          """
              .replace("~", quote);
      for (String uri : new String[] {"/api/put", "/api/put?details"}) {
        Response response =
            new SentRequest(
                    """
                    POST %s HTTP/1.1
                    Host: localhost:4242
                    User-Agent: Go-http-client/1.1
                    Content-Encoding: gzip
                    Content-Type: applicaton/json
                    Accept-Encoding: gzip
                    """
                        .formatted(uri),
                    SentRequest.gzip(body))
                .to(served);
        assertThat(response.status()).isBetween(200, 204);
      }
      assertThat(served.points("cpu_usage_idle"))
          .containsExactly("cpu_usage_idle{cpu=cpu-total, host=web01} 1500000000 91.5");
      assertThat(served.points("mem_free"))
          .containsExactly("mem_free{host=web01} 1500000000 1048576");
    }
  }

  /** It connects at first to find out whether there is a server, and never reads. */
  @Test
  void openTsdbByTelnet() throws IOException {
    served.connect().close();
    try (Client client = served.connect()) {
      client.send("put cpu_usage_idle 1500000000 91.500000 cpu=cpu-total host=web01\n");
      client.send("put mem_free 1500000000 1048576 host=web01\n");
      client.send("put mem_total 1500000000 2097152 \n"); // a metric without tags
      client.endOfInput();
      assertThat(client.rest().lines()).singleElement().asString().startsWith("put: ");
    }
    assertThat(served.points("cpu_usage_idle"))
        .containsExactly("cpu_usage_idle{cpu=cpu-total, host=web01} 1500000000 91.5");
    assertThat(served.points("mem_free")).hasSize(1);
  }

  /**
   * {@code outputs.http} with {@code data_format = "prometheusremotewrite"}: the name comes last.
   */
  @Test
  void prometheusRemoteWrite() throws IOException {
    ProtoFields request =
        new ProtoFields()
            .message(
                1,
                ProtoFields.series(
                    91.5,
                    1_500_000_000_000L,
                    "cpu",
                    "cpu-total",
                    "host",
                    "web01",
                    "__name__",
                    "cpu_usage_idle"))
            .message(
                1,
                ProtoFields.series(
                    7,
                    1_500_000_000_250L,
                    "path",
                    "C:\\x y",
                    "le",
                    "+Inf",
                    "__name__",
                    "io_bucket"));
    Response response =
        new SentRequest(
                """
                POST /api/v1/write HTTP/1.1
                Host: localhost:4242
                User-Agent: Telegraf/1.30.3 Go/1.22.3
                Content-Encoding: snappy
                Content-Type: application/x-protobuf
                X-Prometheus-Remote-Write-Version: 0.1.0
                Accept-Encoding: gzip
                """,
                SentRequest.snappy(request.toBytes()))
            .to(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    assertThat(served.points("cpu_usage_idle"))
        .containsExactly("cpu_usage_idle{cpu=cpu-total, host=web01} 1500000000 91.5");
    assertThat(served.points("io_bucket"))
        .containsExactly("io_bucket{le=U___2b_Inf, path=U__C_3a__5c_x_20_y} 1500000000250 7.0");
  }

  /** {@code outputs.opentelemetry} by HTTP; it parses the response by its exact type. */
  @Test
  void openTelemetry() throws IOException {
    String json =
        """
        {"resourceMetrics":[{"resource":{},"scopeMetrics":[{"scope":{},"metrics":[\
        {"name":"cpu_usage_idle","gauge":{"dataPoints":[{"attributes":[\
        {"key":"cpu","value":{"stringValue":"cpu-total"}},\
        {"key":"host","value":{"stringValue":"web01"}}],\
        "timeUnixNano":"1500000000000000000","asDouble":91.5}]}}]}]}]}\
        """;
    Response response =
        new SentRequest(
                """
                POST /v1/metrics HTTP/1.1
                Host: localhost:4242
                User-Agent: telegraf
                Content-Encoding: gzip
                Content-Type: application/json
                Accept-Encoding: gzip
                """,
                SentRequest.gzip(json))
            .inChunksTo(served);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.body()).isEqualTo("{}");
    assertThat(served.points("cpu_usage_idle"))
        .containsExactly("cpu_usage_idle{cpu=cpu-total, host=web01} 1500000000 91.5");
  }
}
