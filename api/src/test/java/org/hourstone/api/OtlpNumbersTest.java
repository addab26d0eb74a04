package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint.ValueAtQuantile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A number of OTLP that its type can't hold is refused, and none is stored as another one. */
class OtlpNumbersTest extends OtlpCase {
  private static final String WHOLE =
      "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"g\",%s}]}]}]}";
  private static final String TIME = "\"timeUnixNano\":\"1500001200000000000\",";

  private Reply metric(String json) throws IOException {
    return post(JSON, WHOLE.formatted(json).getBytes(UTF_8));
  }

  private Reply gauge(String members) throws IOException {
    return metric("\"gauge\":{\"dataPoints\":[{" + members + "}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9223372036854775807", "-9223372036854775808", "5.0", "1e3", "-1E+2", "0", "-0"})
  void integersOf64BitsAreStored(String number) throws IOException {
    for (String each : new String[] {number, "\"" + number + "\""}) {
      assertThat(gauge(TIME + "\"asInt\":" + each).text()).isEqualTo("{}");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "9223372036854775808.0",
        "1e19",
        "1e999999999",
        "1.5"
      })
  void largerIntegersAreRefused(String number) throws IOException {
    for (String each : new String[] {number, "\"" + number + "\""}) {
      Reply value = gauge(TIME + "\"asInt\":" + each);
      assertThat(value.status()).as(value.text()).isEqualTo(400);
      assertThat(value.text()).contains("/asInt is not an integer of 64 bits");
      Reply attribute =
          gauge(
              TIME
                  + "\"asInt\":1,\"attributes\":[{\"key\":\"a\",\"value\":{\"intValue\":"
                  + each
                  + "}}]");
      assertThat(attribute.status()).as(attribute.text()).isEqualTo(400);
    }
    assertThat(points("g").toString()).contains("No such name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-400", "-1E-400", "1e400", "-1.5e309"})
  void decimalsThatNoDoubleCanHoldAreRefused(String number) throws IOException {
    for (String each : new String[] {number, "\"" + number + "\""}) {
      for (Reply reply :
          List.of(
              gauge(TIME + "\"asDouble\":" + each),
              metric("\"histogram\":{\"dataPoints\":[{" + TIME + "\"sum\":" + each + "}]}"),
              metric(
                  "\"histogram\":{\"dataPoints\":[{"
                      + TIME
                      + "\"explicitBounds\":[1,"
                      + each
                      + "]}]}"),
              metric(
                  "\"summary\":{\"dataPoints\":[{"
                      + TIME
                      + "\"quantileValues\":[{\"quantile\":"
                      + each
                      + "}]}]}"))) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.text()).contains(" is not a number that a double can hold");
      }
    }
    assertThat(gauge(TIME + "\"asDouble\":0e-400").text()).isEqualTo("{}");
    assertThat(points("g")).containsExactly("g{U__=U__} 0 0.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"timeUnixNano\":\"-1\"                                      | without a sign",
        "\"timeUnixNano\":\"99999999999999999999\"                    | of 64 bits",
        "\"flags\":-1                                                 | of 32 bits",
        "\"flags\":4294967296                                         | of 32 bits",
      })
  void numbersWithoutASignHaveNone(String members, String why) throws IOException {
    Reply reply = gauge("\"asInt\":1," + members);

    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.text()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"scale\":2147483648",
        "\"scale\":-2147483649",
        "\"scale\":\"9999999999\"",
        "\"positive\":{\"offset\":2147483648,\"bucketCounts\":[\"1\"]}",
        "\"positive\":{\"bucketCounts\":[\"-1\"]}",
        "\"zeroCount\":\"-1\"",
        "\"count\":-1"
      })
  void scalesAndCountsAreThoseOfTheirTypes(String members) throws IOException {
    Reply reply = metric("\"exponentialHistogram\":{\"dataPoints\":[{" + TIME + members + "}]}");

    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.text()).contains("is not an integer ");
  }

  @Test
  void histogramsWithMoreValuesThan64BitsCountAreRefused() throws IOException {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(HOUR * NANOS)
            .addAllExplicitBounds(List.of(1.0, 2.0))
            .addAllBucketCounts(List.of(-1L, 1L, 1L));
    Metric.Builder histogram =
        Metric.newBuilder().setName("h").setHistogram(Histogram.newBuilder().addDataPoints(point));
    Metric.Builder exponential =
        Metric.newBuilder()
            .setName("e")
            .setExponentialHistogram(
                ExponentialHistogram.newBuilder()
                    .addDataPoints(exponential(0, List.of(-1L, 1L)))
                    .addDataPoints(exponential(1, List.of(-1L))));

    Reply reply = post(JSON, request(histogram, exponential));

    assertThat(reply.text())
        .contains("\"rejectedDataPoints\":\"3\"", "more values than 64 bits can count");
    assertThat(points("h.bucket").toString()).contains("No such name");
    assertThat(points("e.count").toString()).contains("No such name");
  }

  private static ExponentialHistogramDataPoint.Builder exponential(long zeros, List<Long> counts) {
    return ExponentialHistogramDataPoint.newBuilder()
        .setTimeUnixNano(HOUR * NANOS)
        .setZeroCount(zeros)
        .setPositive(Buckets.newBuilder().addAllBucketCounts(counts));
  }

  @Test
  void quantilesAreFrom0To1() throws IOException {
    SummaryDataPoint.Builder point =
        SummaryDataPoint.newBuilder().setTimeUnixNano(HOUR * NANOS).setCount(1);
    for (double quantile : new double[] {0, 1, -0.5, 1.5, Double.NaN}) {
      point.addQuantileValues(ValueAtQuantile.newBuilder().setQuantile(quantile).setValue(7));
    }

    Reply reply =
        post(
            JSON,
            request(
                Metric.newBuilder()
                    .setName("s")
                    .setSummary(Summary.newBuilder().addDataPoints(point))));

    assertThat(reply.text())
        .contains("\"rejectedDataPoints\":\"1\"", "the quantile -0.5 is not from 0 to 1");
    assertThat(points("s")).containsExactly("s{quantile=0} 0 7.0", "s{quantile=1} 0 7.0");
  }
}
