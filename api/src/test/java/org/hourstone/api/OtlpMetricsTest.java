package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OTLP's metrics of all kinds, as other programs write them: where each value is stored. */
class OtlpMetricsTest extends OtlpCase {
  @Test
  void gaugesAndSumsAreStoredAsTheyCome() throws IOException {
    Sum.Builder sum =
        Sum.newBuilder()
            .setIsMonotonic(true)
            .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
            .addDataPoints(point(1).setAsInt(Long.MAX_VALUE).setStartTimeUnixNano(1))
            .addDataPoints(point(2).setAsInt(-3));
    store(
        gauge("g", point(0).setAsDouble(0.1), point(1).setAsDouble(2.5), point(2).setAsInt(7))
            .setUnit("s")
            .setDescription("what it is"),
        Metric.newBuilder().setName("s").setSum(sum));

    assertThat(points("g")).containsExactly("g{host=a} 0 0.1", "g{host=a} 1 2.5", "g{host=a} 2 7");
    assertThat(points("s")).containsExactly("s{host=a} 1 9223372036854775807", "s{host=a} 2 -3");
    assertThat(counts("points")).containsExactly("5");
    assertThat(counts("skipped"))
        .containsExactlyInAnyOrder("description 1", "unit 1", "start_time 1");
  }

  @Test
  void timesAreCutOffToMilliseconds() throws IOException {
    long nanos = (HOUR + 5) * NANOS + 123_999_999;
    store(gauge("g", point(0).setAsInt(1).setTimeUnixNano(nanos)));

    String body =
        api.respond(
                "GET",
                "/api/query?start=1&end=4000000000&ms&m=none:g",
                "",
                new Disconnection(),
                Role.all())
            .body();
    assertThat(body).contains("\"" + (HOUR + 5) + "123\":1");
  }

  @Test
  void histogramsCountWhatIsNotAboveEachBound() throws IOException {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addAttributes(attribute("host", "a"))
            .setCount(10)
            .setSum(12.5)
            .setMin(0.001)
            .setMax(7)
            .addAllExplicitBounds(List.of(0.0005, 0.25, 10.0))
            .addAllBucketCounts(List.of(1L, 2L, 3L, 4L))
            .addExemplars(Exemplar.newBuilder().setAsDouble(1));
    store(
        Metric.newBuilder()
            .setName("h")
            .setHistogram(
                Histogram.newBuilder()
                    .setAggregationTemporality(
                        AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                    .addDataPoints(point)));

    assertThat(points("h.bucket"))
        .containsExactly(
            "h.bucket{host=a, le=0.0005} 0 1",
            "h.bucket{host=a, le=0.25} 0 3",
            "h.bucket{host=a, le=10} 0 6",
            "h.bucket{host=a, le=inf} 0 10");
    assertThat(points("h.count")).containsExactly("h.count{host=a} 0 10");
    assertThat(points("h.sum")).containsExactly("h.sum{host=a} 0 12.5");
    assertThat(points("h.min")).containsExactly("h.min{host=a} 0 0.001");
    assertThat(points("h.max")).containsExactly("h.max{host=a} 0 7.0");
    assertThat(counts("skipped")).containsExactly("exemplar 1");
  }

  @Test
  void exponentialHistogramsHaveFourBoundsForEachDoubling() throws IOException {
    // At scale 3 each bucket is half of one at scale 2: (2^(i/8), 2^((i+1)/8)].
    ExponentialHistogramDataPoint.Builder point =
        exponential()
            .setScale(3)
            .setZeroCount(5)
            .setCount(5 + 7 + 100)
            .setPositive(Buckets.newBuilder().setOffset(7).addAllBucketCounts(List.of(1L, 2L, 4L)))
            .setNegative(Buckets.newBuilder().setOffset(0).addAllBucketCounts(List.of(60L, 40L)));
    store(exponential(point));

    assertThat(points("e.bucket"))
        .containsExactlyInAnyOrder(
            "e.bucket{host=a, le=-1} 0 100",
            "e.bucket{host=a, le=0} 0 105",
            "e.bucket{host=a, le=%s} 0 105".formatted(Math.pow(2, 0.75)),
            "e.bucket{host=a, le=2} 0 106",
            "e.bucket{host=a, le=%s} 0 112".formatted(Math.pow(2, 1.25)),
            "e.bucket{host=a, le=inf} 0 112");
    assertThat(points("e.count")).containsExactly("e.count{host=a} 0 112");
  }

  @Test
  void exponentialHistogramsOfAnyScaleHaveFiniteBounds() throws IOException {
    store(
        exponential(
            exponential()
                .setScale(-10)
                .setCount(3)
                .setPositive(
                    Buckets.newBuilder().setOffset(-1).addAllBucketCounts(List.of(1L, 2L)))),
        exponential(
                exponential()
                    .setScale(Integer.MIN_VALUE)
                    .setPositive(
                        Buckets.newBuilder()
                            .setOffset(Integer.MAX_VALUE)
                            .addAllBucketCounts(List.of(1L, 2L))))
            .setName("low"),
        exponential(
                exponential()
                    .setScale(Integer.MAX_VALUE)
                    .setNegative(
                        Buckets.newBuilder()
                            .setOffset(Integer.MIN_VALUE)
                            .addAllBucketCounts(List.of(1L, 2L))))
            .setName("high"));

    assertThat(points("e.bucket"))
        .containsExactlyInAnyOrder(
            "e.bucket{host=a, le=0} 0 0",
            "e.bucket{host=a, le=%s} 0 0".formatted(Math.pow(2, -1024)),
            "e.bucket{host=a, le=1} 0 1",
            "e.bucket{host=a, le=inf} 0 3");
    assertThat(points("low.bucket"))
        .containsExactlyInAnyOrder(
            "low.bucket{host=a, le=0} 0 0", "low.bucket{host=a, le=inf} 0 3");
    assertThat(points("high.bucket")).contains("high.bucket{host=a, le=0} 0 3");
  }

  private static ExponentialHistogramDataPoint.Builder exponential() {
    return ExponentialHistogramDataPoint.newBuilder()
        .setTimeUnixNano(HOUR * NANOS)
        .addAttributes(attribute("host", "a"));
  }

  private static Metric.Builder exponential(ExponentialHistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("e")
        .setExponentialHistogram(ExponentialHistogram.newBuilder().addDataPoints(point));
  }

  @Test
  void summariesHaveASeriesForEachQuantile() throws IOException {
    SummaryDataPoint.Builder point =
        SummaryDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addAttributes(attribute("host", "a"))
            .setCount(4)
            .setSum(2.5);
    point.addQuantileValuesBuilder().setQuantile(0.5).setValue(0.25);
    point.addQuantileValuesBuilder().setQuantile(1).setValue(2);
    store(Metric.newBuilder().setName("s").setSummary(Summary.newBuilder().addDataPoints(point)));

    assertThat(points("s"))
        .containsExactly("s{host=a, quantile=0.5} 0 0.25", "s{host=a, quantile=1} 0 2.0");
    assertThat(points("s.sum")).containsExactly("s.sum{host=a} 0 2.5");
    assertThat(points("s.count")).containsExactly("s.count{host=a} 0 4");
  }

  @Test
  void valuesOfAttributesAreTexts() throws IOException {
    AnyValue.Builder list =
        AnyValue.newBuilder()
            .setArrayValue(
                ArrayValue.newBuilder()
                    .addValues(AnyValue.newBuilder().setStringValue("x"))
                    .addValues(AnyValue.newBuilder().setIntValue(1))
                    .addValues(AnyValue.newBuilder()));
    AnyValue.Builder map =
        AnyValue.newBuilder()
            .setKvlistValue(
                KeyValueList.newBuilder()
                    .addValues(attribute("k", AnyValue.newBuilder().setBoolValue(true))));
    store(
        gauge(
            "g",
            point(0)
                .setAsInt(1)
                .addAttributes(attribute("b", AnyValue.newBuilder().setBoolValue(true)))
                .addAttributes(attribute("i", AnyValue.newBuilder().setIntValue(-5)))
                .addAttributes(attribute("d", AnyValue.newBuilder().setDoubleValue(0.5)))
                .addAttributes(attribute("l", list))
                .addAttributes(attribute("m", map))
                .addAttributes(attribute("none", AnyValue.newBuilder()))
                .addAttributes(attribute("a b", "/x y"))));

    assertThat(points("g"))
        .containsExactly(
            "g{U__a_20_b=U__/x_20_y, b=true, d=0.5, host=a, i=-5,"
                + " l=U___5b__22_x_22__2c_1_2c_null_5d_,"
                + " m=U___7b__22_k_22__3a_true_7d_, none=U__} 0 1");
  }

  @Test
  void identityOfTheResourceIsInTags() throws IOException {
    post(
        PROTOBUF,
        request(
            resource("service.name", "shop", "host.name", "h1", "os.type", "linux"),
            gauge("g", point(0).setAsInt(1))));
    post(
        PROTOBUF,
        request(
            resource("host.name", "h1", "service.instance.id", "i1", "service.namespace", "n"),
            gauge("g", point(1).setAsInt(2))));

    assertThat(points("g"))
        .containsExactly(
            "g{host=a, host.name=h1, service.name=shop} 0 1",
            "g{host=a, service.instance.id=i1, service.namespace=n} 1 2");
    assertThat(counts("skipped")).containsExactly("resource_attribute 2");
  }

  @Test
  void theTagsOfResourcesAndScopesAreASetting() throws IOException {
    db.close();
    open(TsdbOptions.defaults().with(DaemonSettings.OTLP_TAGS, "*, otel.scope.name"));
    post(PROTOBUF, request(resource("x", "1", "host", "b"), gauge("g", point(0).setAsInt(1))));

    assertThat(points("g")).containsExactly("g{host=a, otel.scope.name=lib, x=1} 0 1");
  }

  @Test
  void aSeriesWithoutAttributesHasATag() throws IOException {
    store(gauge("g", point(0).clearAttributes().setAsInt(1)));

    assertThat(points("g")).containsExactly("g{U__=U__} 0 1");
  }

  @Test
  void manySeriesOfOneRequestAreKeptApart() throws IOException {
    String filler = "x".repeat(400);
    Metric.Builder[] metrics =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    gauge(
                        "g",
                        IntStream.range(0, 60)
                            .mapToObj(
                                j ->
                                    NumberDataPoint.newBuilder()
                                        .setTimeUnixNano(HOUR * NANOS)
                                        .addAttributes(attribute("i", Integer.toString(i)))
                                        .addAttributes(attribute("j", filler + j))
                                        .setAsInt(i * 60L + j))
                            .toArray(NumberDataPoint.Builder[]::new)))
            .toArray(Metric.Builder[]::new);
    store(metrics);
    store(metrics); // now they are known

    assertThat(points("g{i=199}")).hasSize(60);
    String body =
        api.respond(
                "GET",
                "/api/query?start=1&end=4000000000&m=sum:g",
                "",
                new Disconnection(),
                Role.all())
            .body();
    assertThat(body).contains("\"" + HOUR + "\":" + 12_000L * 11_999 / 2);
  }

  @Test
  void jsonIsReadAsOtlpWritesIt() throws IOException {
    String body =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[
        {"asInt":"5","timeUnixNano":"1500001200000000000","attributes":[
          {"key":"host","value":{"stringValue":"\\u00e9"}},{"value":{"intValue":"7"},"key":"n"}],
          "exemplars":[{"traceId":"5b8efff798038103d269b633813fc60c","asInt":"1"}]},
        {"asDouble":1.5,"timeUnixNano":1500001201000000000,"flags":0}]},
        "name":"g","metadata":null,"new":{"a":[1]}}]}]}]}\
        """;
    Reply reply = post(JSON, body.getBytes(UTF_8));

    assertThat(reply.text()).isEqualTo("{}");
    assertThat(points("g")).containsExactly("g{U__=U__} 1 1.5", "g{host=\u00e9, n=7} 0 5");
  }

  /** Protobuf would keep the last one, and drop the others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'asInt':'5','asDouble':7}                  | dataPoints/0/asDouble",
        "{'asInt':'5','attributes':[{'key':'k','value':{'stringValue':'a','intValue':'5'}}]} |"
            + " attributes/0/value/intValue",
        "{'asInt':'5'}]},'sum':{'dataPoints':[{'asInt':'6'} | metrics/0/sum",
      })
  void jsonWithTwoValuesOfWhichOneIsExpectedIsRefused(String point, String place)
      throws IOException {
    String body =
        "{'resourceMetrics':[{'scopeMetrics':[{'metrics':[{'name':'m','gauge':{'dataPoints':["
            + point
            + "]}}]}]}]}";
    assertThat(post(JSON, body.replace('\'', '"').getBytes(UTF_8)).text())
        .contains(place + " is not given alone, but beside another");
  }

  /** Names that are not read are not kept, however many there are. */
  @Test
  void jsonMayHaveOtherMembersTwiceButNoneOfOtlp() throws IOException {
    assertThat(post(JSON, "{\"new\":1,\"new\":{\"a\":1,\"a\":2}}".getBytes(UTF_8)).text())
        .isEqualTo("{}");
    assertThat(post(JSON, "{\"resourceMetrics\":[],\"resourceMetrics\":[]}".getBytes(UTF_8)).text())
        .isEqualTo(
            "{\"code\":3,\"message\":\"not OTLP in JSON: /resourceMetrics is not given once\"}");
  }

  /** Protobuf's parts of one message are parts of it in any number. */
  @Test
  void partsOfAMessageAreJoined() throws IOException {
    Metric first = gauge("g", point(1).setAsInt(2)).build();
    Metric second =
        Metric.newBuilder().setGauge(gauge("", point(2).setAsInt(3)).getGauge()).build();
    ResourceMetrics resource =
        ResourceMetrics.newBuilder().setResource(resource("service.name", "a")).build();
    ResourceMetrics more =
        ResourceMetrics.newBuilder().setResource(resource("host.name", "b")).build();
    ByteString metric = first.toByteString().concat(second.toByteString());
    ByteString scope = field(2, metric);
    ByteString all = resource.toByteString().concat(more.toByteString()).concat(field(2, scope));

    Reply reply = post(PROTOBUF, field(1, all).toByteArray());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(points("g"))
        .containsExactly(
            "g{host=a, host.name=b, service.name=a} 1 2",
            "g{host=a, host.name=b, service.name=a} 2 3");
  }

  private static ByteString field(int number, ByteString content) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())
        .build()
        .toByteString();
  }

  @Test
  void attributesOfScopesAreSkippedAndCounted() throws IOException {
    ExportMetricsServiceRequest.Builder request =
        request(gauge("g", point(0).setAsInt(1))).toBuilder();
    request
        .getResourceMetricsBuilder(0)
        .getScopeMetricsBuilder(0)
        .getScopeBuilder()
        .addAttributes(attribute("a", "b"));
    for (String type : List.of(PROTOBUF, JSON)) {
      assertThat(post(type, request.build()).status()).isEqualTo(200);
    }
    assertThat(points("g")).containsExactly("g{host=a} 0 1");
    assertThat(counts("skipped")).containsExactly("scope_attribute 2");
  }

  @Test
  void protobufAndJsonMeanTheSame() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 60; i++) {
      ExportMetricsServiceRequest request = new OtlpRequests(random::nextInt).next();
      List<Reply> replies = new ArrayList<>();
      List<Object> stored = new ArrayList<>();
      for (String type : List.of(PROTOBUF, JSON)) {
        Reply reply;
        try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
          reply = post(type, request);
          boolean isWhole = reply.text().isEmpty() || reply.text().equals("{}");
          assertThat(log.messages().stream().allMatch(each -> each.endsWith(" more")))
              .as("%s", request)
              .isEqualTo(isWhole);
        }
        replies.add(reply);
        List<String> all = new ArrayList<>();
        for (String metric : OtlpRequests.METRICS) {
          all.addAll(points(metric));
        }
        stored.add(all);
        db.close();
        open(options());
      }
      ExportMetricsServiceResponse.Builder json = ExportMetricsServiceResponse.newBuilder();
      JsonFormat.parser().merge(replies.get(1).text(), json);
      assertThat(json.build())
          .as("%s", request)
          .isEqualTo(ExportMetricsServiceResponse.parseFrom(replies.get(0).body()));
      assertThat(stored.get(1)).as("%s", request).isEqualTo(stored.get(0));
    }
  }
}
