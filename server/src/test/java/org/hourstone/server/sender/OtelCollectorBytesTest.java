package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Requests of the OpenTelemetry Collector's exporters, by hand, following their source. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OtelCollectorBytesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TIME = 1_500_000_000L * SECOND;

  private static final String OTLP =
      """
      POST /v1/metrics HTTP/1.1
      Host: localhost:4242
      User-Agent: OpenTelemetry Collector Contrib/0.110.0 (linux/amd64)
      Content-Type: %s
      Content-Encoding: gzip
      Accept-Encoding: gzip
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

  private static ProtoFields attribute(String name, String value) {
    return new ProtoFields().text(1, name).message(2, new ProtoFields().text(1, value));
  }

  private static ProtoFields point() {
    return new ProtoFields().fixed(2, TIME - 60 * SECOND).fixed(3, TIME);
  }

  private static ProtoFields histogram() {
    ProtoFields point =
        new ProtoFields()
            .fixed(2, TIME - 60 * SECOND)
            .fixed(3, TIME)
            .fixed(4, 6) // the count
            .decimal(5, 7.5) // the sum
            .fixed(6, 2) // the buckets, one by one
            .fixed(6, 3)
            .fixed(6, 1)
            .decimal(7, 0.5) // the bounds
            .decimal(7, 1)
            .message(9, attribute("route", "/a"));
    return new ProtoFields()
        .text(1, "http.server.request.duration")
        .text(3, "s")
        .message(9, new ProtoFields().message(1, point).number(2, 2));
  }

  private static byte[] request(ProtoFields... metrics) {
    ProtoFields scope =
        new ProtoFields()
            .message(1, new ProtoFields().text(1, "otelcol/hostmetricsreceiver").text(2, "0.110"));
    for (ProtoFields metric : metrics) {
      scope.message(2, metric);
    }
    ProtoFields resource =
        new ProtoFields()
            .message(1, attribute("service.name", "shop"))
            .message(1, attribute("host.name", "web01"));
    return new ProtoFields()
        .message(1, new ProtoFields().message(1, resource).message(2, scope))
        .toBytes();
  }

  private Response send(String type, byte[] body) throws IOException {
    return new SentRequest(OTLP.formatted(type), SentRequest.gzip(body)).to(served);
  }

  /** {@code otlphttp}, protobuf. */
  @Test
  void otlp() throws IOException {
    ProtoFields gauge =
        new ProtoFields()
            .text(1, "system.cpu.utilization")
            .message(5, new ProtoFields().message(1, point().decimal(4, 0.25)));
    ProtoFields sum =
        new ProtoFields()
            .text(1, "system.network.io")
            .message(
                7,
                new ProtoFields()
                    .message(
                        1, point().fixed(6, 1L << 53 | 1).message(7, attribute("device", "eth0")))
                    .number(2, 2)
                    .number(3, 1));
    Response response = send("application/x-protobuf", request(gauge, sum, histogram()));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", "application/x-protobuf");
    assertThat(response.content()).isEmpty();

    String resource = "service.name=shop} 1500000000 ";
    assertThat(served.points("system.cpu.utilization"))
        .singleElement()
        .asString()
        .startsWith("system.cpu.utilization{")
        .endsWith(" 1500000000 0.25");
    assertThat(served.points("system.network.io"))
        .singleElement()
        .asString()
        .startsWith("system.network.io{device=eth0, ")
        .endsWith(resource + "9007199254740993");
    String duration = "http.server.request.duration";
    assertThat(served.points(duration + ".bucket{le=0.5}"))
        .singleElement()
        .asString()
        .endsWith(" 2");
    assertThat(served.points(duration + ".bucket{le=1}")).singleElement().asString().endsWith(" 5");
    assertThat(served.points(duration + ".bucket{le=inf}"))
        .singleElement()
        .asString()
        .endsWith(" 6");
    assertThat(served.points(duration + ".count")).singleElement().asString().endsWith(" 6");
    assertThat(served.points(duration + ".sum")).singleElement().asString().endsWith(" 7.5");
  }

  /** {@code otlphttp} with {@code encoding: json}: numbers of 64 bits are texts. */
  @Test
  void otlpInJson() throws IOException {
    String json =
        """
        {"resourceMetrics":[{"resource":{"attributes":[\
        {"key":"service.name","value":{"stringValue":"shop"}},\
        {"key":"host.name","value":{"stringValue":"web01"}}]},"scopeMetrics":[\
        {"scope":{"name":"otelcol/hostmetricsreceiver","version":"0.110"},"metrics":[\
        {"name":"system.network.io","unit":"By","sum":{"aggregationTemporality":2,\
        "isMonotonic":true,"dataPoints":[{"attributes":[{"key":"device","value":\
        {"stringValue":"eth0"}},{"key":"cpu","value":{"intValue":"3"}}],\
        "startTimeUnixNano":"1499999940000000000","timeUnixNano":"1500000000000000000",\
        "asInt":"9007199254740993"}]}},\
        {"name":"system.cpu.utilization","gauge":{"dataPoints":[{\
        "timeUnixNano":"1500000000000000000","asDouble":0.25},{\
        "timeUnixNano":"1500000001000000000","flags":1}]}}],\
        "schemaUrl":"https://opentelemetry.io/schemas/1.9.0"}]}]}\
        """;
    Response response = send("application/json", json.getBytes(UTF_8));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.body()).isEqualTo("{}");
    assertThat(served.points("system.network.io"))
        .singleElement()
        .asString()
        .startsWith("system.network.io{cpu=3, device=eth0, ")
        .endsWith("service.name=shop} 1500000000 9007199254740993");
    assertThat(served.points("system.cpu.utilization")).hasSize(1);
  }

  /** It logs the message and the number of data points, and does not send them again. */
  @ParameterizedTest
  @CsvSource({"application/x-protobuf", "application/json"})
  void otlpOfWhichSomeIsRefused(String type) throws IOException {
    byte[] body =
        type.endsWith("json")
            ? """
            {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[\
            {"timeUnixNano":"1500000000000000000","asDouble":1},\
            {"asDouble":1}]}}]}]}]}\
            """
                .getBytes(UTF_8)
            : request(
                new ProtoFields()
                    .text(1, "m")
                    .message(
                        5,
                        new ProtoFields()
                            .message(1, point().decimal(4, 1))
                            .message(1, new ProtoFields().decimal(4, 1))));
    Response response = send(type, body);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", type);
    assertThat(response.content()).isNotEmpty();
    if (type.endsWith("json")) {
      assertThat(response.body())
          .startsWith("{\"partialSuccess\":{\"rejectedDataPoints\":\"1\",\"errorMessage\":\"");
    }
    assertThat(served.points("m")).hasSize(1);
  }

  /** What is left of a batch that a filter has emptied. */
  @ParameterizedTest
  @CsvSource({"application/x-protobuf, ''", "application/json, {}"})
  void otlpWithoutMetrics(String type, String body) throws IOException {
    assertThat(send(type, body.getBytes(UTF_8)).status()).isEqualTo(200);
    assertThat(send("application/x-protobuf", request()).status()).isEqualTo(200);
  }

  /** {@code prometheusremotewrite}: sorted labels, the resource as a series of its own. */
  @Test
  void prometheusRemoteWrite() throws IOException {
    long millis = TIME / 1_000_000;
    ProtoFields request =
        new ProtoFields()
            .message(
                1,
                ProtoFields.series(
                    5, millis, "__name__", "d_seconds_bucket", "job", "shop", "le", "+Inf"))
            .message(
                1,
                ProtoFields.series(
                        Double.longBitsToDouble(0x7FF0_0000_0000_0002L), // a stale marker
                        millis,
                        "__name__",
                        "d_seconds_sum",
                        "job",
                        "shop")
                    .message(2, new ProtoFields().decimal(1, 7.5).number(2, millis + 1)))
            .message(
                1,
                ProtoFields.series(
                    1, millis, "__name__", "target_info", "host_name", "web 01", "job", "shop"))
            .message(3, new ProtoFields().number(1, 3).text(2, "d_seconds").text(4, "Duration"));
    Response response =
        new SentRequest(
                """
                POST /api/v1/write HTTP/1.1
                Host: localhost:4242
                User-Agent: opentelemetry-collector-contrib/0.110.0
                Content-Encoding: snappy
                Content-Type: application/x-protobuf
                X-Prometheus-Remote-Write-Version: 0.1.0
                """,
                SentRequest.snappy(request.toBytes()))
            .to(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    assertThat(served.points("d_seconds_bucket"))
        .containsExactly("d_seconds_bucket{job=shop, le=U___2b_Inf} 1500000000 5.0");
    assertThat(served.points("d_seconds_sum"))
        .containsExactly("d_seconds_sum{job=shop} 1500000000001 7.5");
    assertThat(served.points("target_info"))
        .containsExactly("target_info{host_name=U__web_20_01, job=shop} 1500000000 1.0");
  }

  /** {@code influxdb}: no type of content; a histogram's fields are its bounds. */
  @ParameterizedTest
  @CsvSource({
    "/api/v2/write?bucket=b&org=acme&precision=ns, Token secret",
    "/write?db=telegraf&precision=ns, Basic d3JpdGVyOnNlY3JldA=="
  })
  void influxDb(String uri, String authorization) throws IOException {
    String tags = ",container.name=42,method=post,otel.library.name=My\\ Library";
    String lines =
        """
        cache_age_seconds~ gauge=23.9,start_time_unix_nano=1395066363000000001i 1395066363000000123
        duration_seconds~ count=144320,sum=53423,0.05=24054,+Inf=144320 1395066363250000123
        """
            .replace("~", tags);
    Response response =
        new SentRequest(
                """
                POST %s HTTP/1.1
                Host: localhost:4242
                User-Agent: OpenTelemetry -> Influx
                Authorization: %s
                Accept-Encoding: gzip
                """
                    .formatted(uri, authorization),
                lines)
            .to(served);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    String series = "{container.name=42, method=post, otel.library.name=U__My_20_Library} ";
    assertThat(served.points("cache_age_seconds.gauge"))
        .containsExactly("cache_age_seconds.gauge" + series + "1395066363 23.9");
    assertThat(served.points("cache_age_seconds.start_time_unix_nano"))
        .singleElement()
        .asString()
        .endsWith(" 1395066363000000001");
    assertThat(served.points("duration_seconds.0.05"))
        .containsExactly("duration_seconds.0.05" + series + "1395066363250 24054.0");
    assertThat(served.points("U__duration__seconds._2b_Inf"))
        .containsExactly("U__duration__seconds._2b_Inf" + series + "1395066363250 144320.0");
  }
}
