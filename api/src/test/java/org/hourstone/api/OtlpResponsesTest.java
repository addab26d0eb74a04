package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of OTLP is refused, and how that is reported. */
class OtlpResponsesTest extends OtlpCase {
  @ParameterizedTest
  @ValueSource(strings = {PROTOBUF, JSON})
  void refusedDataPointsAreAPartialSuccess(String type) throws IOException {
    HistogramDataPoint.Builder wrong =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addExplicitBounds(1)
            .addBucketCounts(1);
    HistogramDataPoint.Builder notANumber =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .setSum(Double.NaN)
            .setMin(Double.NEGATIVE_INFINITY);
    NumberDataPoint.Builder many = point(0).setAsInt(1);
    IntStream.range(0, 8).forEach(i -> many.addAttributes(attribute("t" + i, "v")));
    Reply reply;
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
      reply =
          post(
              type,
              request(
                  gauge("", point(0).setAsInt(1)),
                  gauge("no.time", point(0).setAsInt(1).clearTimeUnixNano()),
                  gauge("no.value", point(0)),
                  gauge("flagged", point(0).setFlags(1)),
                  gauge("many", many),
                  gauge("good", point(0).setAsInt(1)),
                  Metric.newBuilder()
                      .setName("h")
                      .setHistogram(
                          Histogram.newBuilder().addDataPoints(wrong).addDataPoints(notANumber))));
      assertThat(log.messages()).isNotEmpty();
    }

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.type()).isEqualTo(type);
    ExportMetricsServiceResponse.Builder response = ExportMetricsServiceResponse.newBuilder();
    if (type.equals(JSON)) {
      JsonFormat.parser().merge(reply.text(), response);
    } else {
      response.mergeFrom(reply.body());
    }
    assertThat(response.getPartialSuccess().getRejectedDataPoints()).isEqualTo(6);
    assertThat(response.getPartialSuccess().getErrorMessage())
        .contains("the metric has no name")
        .contains("no time")
        .contains("no value")
        .contains("1 bucket counts for 1 bounds")
        .contains("tsd.storage.max_tags");
    assertThat(points("good")).containsExactly("good{host=a} 0 1");
    assertThat(points("h.count")).containsExactly("h.count{U__=U__} 0 0");
    assertThat(counts("skipped")).containsExactly("no_recorded_value 1");
  }

  @Test
  void namesThatAreTooLongAreRefused() throws IOException {
    Reply reply =
        post(
            PROTOBUF,
            request(
                gauge("g".repeat(100_000), point(0).setAsInt(1)),
                gauge("good", point(0).setAsInt(1))));

    assertThat(ExportMetricsServiceResponse.parseFrom(reply.body()).getPartialSuccess())
        .returns(1L, ExportMetricsPartialSuccess::getRejectedDataPoints)
        .returns(
            "the metric's name and the tags of its resource and scope have 100003 bytes, more than"
                + " 8192",
            ExportMetricsPartialSuccess::getErrorMessage);
    assertThat(points("good")).hasSize(1);
  }

  /** A body of some kilobytes, compressed, could keep a thread busy for hours. */
  @Test
  void whatAResourceHasIsNotCopiedForEachScopeOrMetric() throws IOException {
    ResourceMetrics.Builder resource =
        ResourceMetrics.newBuilder().setResource(resource("service.name", "x".repeat(1 << 20)));
    for (int i = 0; i < 2000; i++) {
      resource.addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(gauge("g")));
    }
    resource.addScopeMetrics(
        ScopeMetrics.newBuilder().addMetrics(gauge("g", point(0).setAsInt(1))));
    byte[] request =
        ExportMetricsServiceRequest.newBuilder().addResourceMetrics(resource).build().toByteArray();
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    Reply reply = post(PROTOBUF, request);
    long allocated = thread.getCurrentThreadAllocatedBytes() - before;

    assertThat(ExportMetricsServiceResponse.parseFrom(reply.body()).getPartialSuccess())
        .returns(1L, ExportMetricsPartialSuccess::getRejectedDataPoints)
        .satisfies(
            partial ->
                assertThat(partial.getErrorMessage())
                    .contains("the tags of its resource and scope have"));
    assertThat(allocated).isLessThan(100 << 20);
  }

  @Test
  void unreadableBodiesAreRefusedWithAStatus() throws IOException {
    byte[] whole = request(gauge("g", point(0).setAsInt(1))).toByteArray();

    Reply protobuf = post(PROTOBUF, Arrays.copyOf(whole, whole.length - 1));
    assertThat(protobuf.status()).isEqualTo(400);
    assertThat(protobuf.type()).isEqualTo(PROTOBUF);
    assertThat(protobuf.body()[0]).isEqualTo((byte) 8);
    assertThat(protobuf.body()[1]).isEqualTo((byte) 3);
    assertThat(protobuf.text()).contains("a field is longer than its message");

    Reply json = post(JSON + "; charset=utf-8", "{\"resourceMetrics\":7}".getBytes(UTF_8));
    assertThat(json.status()).isEqualTo(400);
    assertThat(json.text())
        .isEqualTo("{\"code\":3,\"message\":\"not OTLP in JSON: /resourceMetrics is not a list\"}");
    assertThat(post(JSON, "[]".getBytes(UTF_8)).status()).isEqualTo(400);
    assertThat(post(JSON, "{}{}".getBytes(UTF_8)).status()).isEqualTo(400);
    assertThat(post(JSON, new byte[0]).status()).isEqualTo(400);
    assertThat(post(JSON, "{}".getBytes(UTF_16BE)).status()).isEqualTo(400);
    assertThat(post(JSON, new byte[] {0, 0, 0, 'I', (byte) 0x91}).text())
        .contains("the body is not in UTF-8");
    assertThat(post("text/plain", whole).status()).isEqualTo(415);
    assertThat(post("", whole).status()).isEqualTo(415);
    assertThat(points("g").toString()).contains("No such name");
  }

  @Test
  void emptyRequestsAreFine() throws IOException {
    assertThat(post(PROTOBUF, new byte[0]).body()).isEmpty();
    assertThat(post(JSON, "{\"later\":[{\"x\":1}]}".getBytes(UTF_8)).text()).isEqualTo("{}");
  }

  @Test
  void strictModeHasNoDoor() {
    db.close();
    open(TsdbOptions.openTsdbDefaults());
    assertThat(
            api.respond(
                    "POST", "/v1/metrics", PROTOBUF, new byte[0], new Disconnection(), Role.all())
                .status())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {PROTOBUF, JSON})
  void whatTheStoreRefusesIsSentAgain(String type) throws IOException {
    ModelStore other = new ModelStore(clock);
    AtomicBoolean isAway = new AtomicBoolean();
    KeyValueStore failing =
        new ForwardingStore(other) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            if (isAway.get()) {
              throw new StoreException(StoreException.Outcome.REJECTED, "the store is away");
            }
            super.mutate(family, batch);
          }
        };
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused");
        Tsdb away =
            Tsdb.over(
                failing,
                TsdbOptions.defaults()
                    .withClock(clock)
                    .with(Settings.COMPACTION_BACKGROUND, "false")
                    .with(Settings.AUTO_CREATE_METRICS, "true"))) {
      api = new Api(away);
      isAway.set(true);
      Reply reply = post(type, request(gauge("g", point(0).setAsInt(1))));
      isAway.set(false);

      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.headers()).containsEntry("Retry-After", "1");
      assertThat(reply.type()).isEqualTo(type);
      assertThat(reply.text()).contains("the store is away");
      assertThat(log.messages()).anyMatch(each -> each.contains("the store is away"));
    }
    other.close();
  }

  /** A body of two bytes for each data point, or less: what is made of it is written in blocks. */
  @Test
  void manyEmptyDataPointsNeedLittleMemory() throws IOException {
    int many = 200_000;
    ByteArrayOutputStream points = new ByteArrayOutputStream();
    for (int i = 0; i < many; i++) {
      points.write(new byte[] {1 << 3 | 2, 0});
    }
    byte[] body =
        ExportMetricsServiceRequest.newBuilder()
            .addResourceMetrics(
                ResourceMetrics.newBuilder()
                    .addScopeMetrics(
                        ScopeMetrics.newBuilder()
                            .addMetrics(
                                Metric.newBuilder()
                                    .setName("g")
                                    .setGauge(Gauge.parseFrom(points.toByteArray())))))
            .build()
            .toByteArray();
    Reply reply;
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
      reply = post(PROTOBUF, body);
      assertThat(log.messages().stream().filter(line -> line.contains("has no time")))
          .hasSizeLessThan(10);
    }

    assertThat(
            ExportMetricsServiceResponse.parseFrom(reply.body())
                .getPartialSuccess()
                .getRejectedDataPoints())
        .isEqualTo(many);
  }
}
