package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.histogram.SimpleHistogramCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OTLP's histograms where OpenTSDB's codec of histograms is configured. */
class OtlpHistogramsTest extends OtlpCase {
  private static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;

  @Override
  TsdbOptions options() {
    return super.options()
        .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}");
  }

  private static Metric.Builder histogram(
      AggregationTemporality temporality, List<Double> bounds, List<Long> counts) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addAttributes(attribute("host", "a"))
            .setCount(counts.stream().mapToLong(Long::longValue).sum())
            .setSum(12.5)
            .addAllExplicitBounds(bounds)
            .addAllBucketCounts(counts);
    return Metric.newBuilder()
        .setName("h")
        .setHistogram(
            Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point));
  }

  /** Histogram points, as an export shows them. */
  private List<SimpleHistogram> histograms() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ApiResponse response =
        api.respond("GET", "/api/export?format=json", "", new Disconnection(), Role.all())) {
      response.writeTo(out);
    }
    List<SimpleHistogram> found = new ArrayList<>();
    for (String line : out.toString(UTF_8).lines().toList()) {
      JsonNode node = MAPPER.readTree(line);
      if (node.has("id")) {
        assertThat(node.path("metric").asText()).isIn("h", "e");
        assertThat(node.path("tags").path("host").asText()).isEqualTo("a");
        assertThat(node.path("timestamp").asLong()).isEqualTo(HOUR);
        found.add(new SimpleHistogramCodec().decode(node.path("value").binaryValue()));
      }
    }
    return found;
  }

  private static SimpleHistogram of(Map<Bucket, Long> buckets, long below, long above) {
    return new SimpleHistogram(new TreeMap<>(buckets), below, above);
  }

  @ParameterizedTest
  @CsvSource({PROTOBUF, JSON, "name"})
  void deltasWithBoundsOfFourBytesAreHistogramPoints(String form) throws IOException {
    ExportMetricsServiceRequest request =
        request(histogram(DELTA, List.of(0.5, 2.0, 8.0), List.of(1L, 2L, 0L, 4L)));
    if (form.equals("name")) {
      String json = new String(json(request), UTF_8);
      String named =
          json.replaceAll("(\"aggregationTemporality\": )1", "$1\"" + DELTA.name() + "\"");
      assertThat(named).isNotEqualTo(json);
      assertThat(post(JSON, named.getBytes(UTF_8)).status()).isEqualTo(200);
    } else {
      assertThat(post(form, request).status()).isEqualTo(200);
    }

    assertThat(histograms())
        .containsExactly(of(Map.of(new Bucket(0.5f, 2), 2L, new Bucket(2, 8), 0L), 1, 4));
    assertThat(points("h.count")).containsExactly("h.count{host=a} 0 7");
    assertThat(points("h.sum")).containsExactly("h.sum{host=a} 0 12.5");
    assertThat(points("h.bucket")).singleElement().asString().contains("No such name");
  }

  @Test
  void exponentialOnesAreIfTheirBoundsArePowersOfTwo() throws IOException {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addAttributes(attribute("host", "a"))
            .setScale(0)
            .setZeroCount(3)
            .setCount(6)
            .setPositive(Buckets.newBuilder().setOffset(1).addAllBucketCounts(List.of(1L, 2L)));
    store(
        Metric.newBuilder()
            .setName("e")
            .setExponentialHistogram(
                ExponentialHistogram.newBuilder()
                    .setAggregationTemporality(DELTA)
                    .addDataPoints(point)));

    assertThat(histograms())
        .containsExactly(
            of(Map.of(new Bucket(0, 2), 0L, new Bucket(2, 4), 1L, new Bucket(4, 8), 2L), 3, 0));
  }

  @Test
  void theirBucketsBelowZeroAscendToo() throws IOException {
    store(
        Metric.newBuilder()
            .setName("e")
            .setExponentialHistogram(
                ExponentialHistogram.newBuilder()
                    .setAggregationTemporality(DELTA)
                    .addDataPoints(
                        ExponentialHistogramDataPoint.newBuilder()
                            .setTimeUnixNano(HOUR * NANOS)
                            .addAttributes(attribute("host", "a"))
                            .setCount(3)
                            .setNegative(
                                Buckets.newBuilder().addAllBucketCounts(List.of(1L, 2L))))));

    assertThat(histograms())
        .containsExactly(of(Map.of(new Bucket(-2, -1), 1L, new Bucket(-1, 0), 0L), 2, 0));
  }

  /** Cumulative counts would be added to each other, and other bounds would be changed. */
  @Test
  void othersAreSeries() throws IOException {
    store(
        histogram(
            AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            List.of(0.5, 2.0),
            List.of(1L, 2L, 3L)));
    store(histogram(DELTA, List.of(0.005, 2.0), List.of(1L, 2L, 4L)));
    store(histogram(DELTA, List.of(4.0), List.of(1L, 7L)));

    assertThat(histograms()).isEmpty();
    assertThat(points("h.bucket"))
        .containsExactly(
            "h.bucket{host=a, le=0.005} 0 1",
            "h.bucket{host=a, le=0.5} 0 1",
            "h.bucket{host=a, le=2} 0 3",
            "h.bucket{host=a, le=4} 0 1",
            "h.bucket{host=a, le=inf} 0 8");
  }

  @Test
  void withoutACodecAllAreSeries() throws IOException {
    db.close();
    open(super.options());
    store(histogram(DELTA, List.of(0.5, 2.0), List.of(1L, 2L, 3L)));

    assertThat(points("h.bucket")).hasSize(3);
  }

  /** A block of points is written when histograms have many buckets, however few points it has. */
  @Test
  void manyLargeOnesOfARequestAreStored() throws IOException {
    List<Double> bounds = LongStream.range(0, 10_000).mapToObj(i -> (double) i).toList();
    List<Long> counts = LongStream.rangeClosed(0, 10_000).boxed().toList();
    Metric.Builder large = histogram(DELTA, bounds, counts);
    Histogram.Builder data = large.getHistogramBuilder();
    HistogramDataPoint first = data.getDataPoints(0);
    for (int i = 1; i < 5; i++) {
      data.addDataPoints(first.toBuilder().setTimeUnixNano((HOUR + i) * NANOS));
    }
    store(large);

    assertThat(counts("points")).containsExactly("15"); // with the number and the sum of each
  }

  @Test
  void oneThatCantBeStoredIsRefusedWithItsReason() throws IOException {
    Metric.Builder tooEarly = histogram(DELTA, List.of(0.5, 2.0), List.of(1L, 2L, 3L));
    tooEarly.getHistogramBuilder().getDataPointsBuilder(0).setTimeUnixNano(5);
    Reply reply = post(JSON, request(tooEarly));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text())
        .contains("\"rejectedDataPoints\":\"1\"", "the time 0 ms can't be stored");
  }
}
