package org.hourstone.server.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.hourstone.server.Client.Response;
import org.hourstone.server.Served;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of Vector's sinks, by hand, following their source. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class VectorBytesTest {
  private static final String COMMON =
      """
      user-agent: Vector/0.41.1 (x86_64-unknown-linux-gnu 745babd 2024-09-11 14:55:36.802851761)
      accept-encoding: identity
      host: localhost:4242
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

  /**
   * {@code influxdb_metrics}: decimals have no exponent, the last line has no end, and version 1 an
   * empty token.
   */
  @ParameterizedTest
  @CsvSource({
    "/write?consistency=any&db=vector&rp=autogen&p=secret&u=writer&precision=ns, '', i",
    "/api/v2/write?org=acme&bucket=vector&precision=ns, secret, u"
  })
  void influxDb(String uri, String token, String unsigned) throws IOException {
    String lines =
        """
        ns.total,metric_type=counter value=1.5 1542182950000000011
        ns.big,metric_type=gauge,path=C:\\\\x\\ y value=1%s 1542182950250000011
        ns.requests,metric_type=histogram,normal_tag=value bucket_2.1=2~,bucket_inf=6~,count=6~,sum=12.5 1542182950000000011\
        """
            .formatted("0".repeat(300))
            .replace("~", unsigned);
    Response response =
        new SentRequest(
                "POST %s HTTP/1.1\ncontent-type: text/plain\nauthorization: Token %s\n%s"
                    .formatted(uri, token, COMMON),
                lines)
            .to(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    assertThat(served.points("ns.total.value"))
        .containsExactly("ns.total.value{metric_type=counter} 1542182950 1.5");
    assertThat(served.points("ns.big.value"))
        .containsExactly(
            "ns.big.value{metric_type=gauge, path=U__C_3a__5c__5c_x_20_y} 1542182950250 1.0E300");
    String tags = "{metric_type=histogram, normal_tag=value} 1542182950 ";
    assertThat(served.points("ns.requests.bucket_2.1"))
        .containsExactly("ns.requests.bucket_2.1" + tags + "2");
    assertThat(served.points("ns.requests.bucket_inf")).hasSize(1);
    assertThat(served.points("ns.requests.count"))
        .containsExactly("ns.requests.count" + tags + "6");
    assertThat(served.points("ns.requests.sum")).containsExactly("ns.requests.sum" + tags + "12.5");
  }

  /** Before it sends lines. */
  @ParameterizedTest
  @ValueSource(strings = {"/ping", "/health"})
  void healthOfInfluxDb(String uri) throws IOException {
    Response response =
        new SentRequest("GET %s HTTP/1.1\n%s".formatted(uri, COMMON), "").to(served);
    assertThat(response.status()).isIn(200, 204);
  }

  /** {@code prometheus_remote_write}, with metadata; Snappy is the default. */
  @ParameterizedTest
  @ValueSource(strings = {"snappy", "gzip"})
  void prometheusRemoteWrite(String compression) throws IOException {
    byte[] request =
        new ProtoFields()
            .message(
                1,
                ProtoFields.series(
                    32,
                    1_500_000_000_250L,
                    "__name__",
                    "gauge-2",
                    "production",
                    "true",
                    "region",
                    "us-west-1"))
            .message(3, new ProtoFields().number(1, 2).text(2, "gauge-2").text(4, "gauge-2"))
            .toBytes();
    String head =
        """
        x-prometheus-remote-write-version: 0.1.0
        content-type: application/x-protobuf
        content-encoding: %s
        x-scope-orgid: tenant
        """
            .formatted(compression);
    // Its health check, which fails everywhere: it logs that, and goes on.
    assertThat(new SentRequest("GET /api/v1/write HTTP/1.1\n" + head + COMMON, "").to(served))
        .returns(405, Response::status);

    Response response =
        new SentRequest(
                "POST /api/v1/write HTTP/1.1\n" + head + COMMON,
                compression.equals("gzip")
                    ? SentRequest.gzip(request)
                    : SentRequest.snappy(request))
            .to(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    assertThat(served.points("gauge-2"))
        .containsExactly("gauge-2{production=true, region=us-west-1} 1500000000250 32.0");
  }

  private static ProtoFields gauge(String host, double value) {
    ProtoFields point =
        new ProtoFields()
            .message(
                7, new ProtoFields().text(1, "host").message(2, new ProtoFields().text(1, host)))
            .fixed(3, 1_500_000_000_250_000_000L)
            .decimal(4, value);
    ProtoFields metric =
        new ProtoFields().text(1, "cpu.idle").message(5, new ProtoFields().message(1, point));
    ProtoFields scope = new ProtoFields().message(2, metric);
    return new ProtoFields().message(1, new ProtoFields().message(2, scope));
  }

  /** {@code opentelemetry} with the codec {@code otlp}: a batch is one message after the other. */
  @Test
  void openTelemetry() throws IOException {
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    batch.writeBytes(gauge("web01", 91.5).toBytes());
    batch.writeBytes(gauge("web02", 92.5).toBytes());
    Response response =
        new SentRequest(
                "POST /v1/metrics HTTP/1.1\ncontent-type: application/x-protobuf\n" + COMMON,
                batch.toByteArray())
            .to(served);
    assertThat(response.status()).isEqualTo(200);
    assertThat(served.points("cpu.idle"))
        .containsExactly(
            "cpu.idle{host=web01} 1500000000250 91.5", "cpu.idle{host=web02} 1500000000250 92.5");
  }

  /** With the codec {@code json}, whose events have names of enums and numbers of 64 bits. */
  @Test
  void openTelemetryInJson() throws IOException {
    String event =
        """
        {"resourceMetrics":[{"resource":{"attributes":[{"key":"host.name","value":\
        {"stringValue":"web01"}}],"droppedAttributesCount":0},"schemaUrl":"","scopeMetrics":[\
        {"metrics":[{"name":"requests","sum":{"aggregationTemporality":\
        "AGGREGATION_TEMPORALITY_CUMULATIVE","dataPoints":[{"attributes":[],"asInt":7,"flags":0,\
        "startTimeUnixNano":1500000000000000000,"timeUnixNano":1500000000250000000}],\
        "isMonotonic":true}}],"schemaUrl":""}]}]}
        """;
    for (String type : new String[] {"application/json", "application/x-ndjson"}) {
      Response response =
          new SentRequest("POST /v1/metrics HTTP/1.1\ncontent-type: " + type + "\n" + COMMON, event)
              .to(served);
      // Two events would be no JSON, so the type of many of them is refused by its name.
      assertThat(response.status()).isEqualTo(type.equals("application/json") ? 200 : 415);
    }
    assertThat(served.points("requests"))
        .containsExactly("requests{host.name=web01} 1500000000250 7");
  }
}
