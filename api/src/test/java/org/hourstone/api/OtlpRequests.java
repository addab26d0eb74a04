package org.hourstone.api;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Makes requests of OTLP with metrics of all kinds; many are as no sender would write them. */
final class OtlpRequests {
  /** The names under which the values of its requests are stored. */
  static final List<String> METRICS =
      IntStream.range(0, 3)
          .boxed()
          .flatMap(
              i ->
                  List.of("", ".bucket", ".sum", ".count", ".min", ".max").stream()
                      .map(part -> "m" + i + part))
          .toList();

  private static final long NANOS = 1_000_000_000;

  private static final List<Double> DECIMALS =
      List.of(
          0.0,
          -0.0,
          1.0,
          -2.5,
          1e-300,
          1e300,
          0.1,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MIN_VALUE,
          (double) Float.MAX_VALUE);

  private static final List<Long> INTEGERS =
      List.of(0L, 1L, -1L, 7L, 300L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40);

  private static final List<String> TEXTS =
      List.of("", "a", "b c", "\u00e9", "\u65e5", "U__x", "*");

  private final IntUnaryOperator choices;

  /**
   * @param choices a number from 0 to below a given one, the next at each call
   */
  OtlpRequests(IntUnaryOperator choices) {
    this.choices = choices;
  }

  private int below(int bound) {
    return choices.applyAsInt(bound);
  }

  private <T> T one(List<T> of) {
    return of.get(below(of.size()));
  }

  ExportMetricsServiceRequest next() {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    for (int i = below(3); i >= 0; i--) {
      ResourceMetrics.Builder resource = request.addResourceMetricsBuilder();
      resource.getResourceBuilder().addAllAttributes(attributes(3));
      ScopeMetrics.Builder scope = resource.addScopeMetricsBuilder();
      scope.getScopeBuilder().setName(one(TEXTS));
      for (int j = below(4); j >= 0; j--) {
        scope.addMetrics(metric());
      }
    }
    return request.build();
  }

  private Metric.Builder metric() {
    Metric.Builder metric = Metric.newBuilder().setName("m" + below(3)).setUnit(one(TEXTS));
    int kind = below(6);
    for (int i = below(3); i >= 0; i--) {
      switch (kind) {
        case 0 -> metric.getGaugeBuilder().addDataPoints(number());
        case 1 -> metric.getSumBuilder().setIsMonotonic(true).addDataPoints(number());
        case 2 -> metric.getHistogramBuilder().addDataPoints(histogram());
        case 3 -> metric.getExponentialHistogramBuilder().addDataPoints(exponential());
        case 4 -> metric.getSummaryBuilder().addDataPoints(summary());
        default -> {} // without any data
      }
    }
    return metric;
  }

  /** Mostly one of few, so that series meet. */
  private long nanos() {
    return below(20) == 0 ? one(INTEGERS) : (1_500_001_200 + below(10)) * NANOS + below(1000);
  }

  private NumberDataPoint.Builder number() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder()
            .setTimeUnixNano(nanos())
            .setFlags(below(8) == 0 ? 1 : 0)
            .addAllAttributes(attributes(3));
    return switch (below(8)) {
      case 0 -> point;
      case 1, 2, 3 -> point.setAsInt(one(INTEGERS));
      default -> point.setAsDouble(one(DECIMALS));
    };
  }

  private HistogramDataPoint.Builder histogram() {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(nanos())
            .setCount(one(INTEGERS))
            .addAllAttributes(attributes(2));
    for (int i = 0; i < below(5); i++) {
      point.addExplicitBounds(below(9) == 0 ? one(DECIMALS) : i * 0.5).addBucketCounts(below(300));
    }
    if (below(8) > 0) {
      point.addBucketCounts(below(3));
    }
    if (below(2) == 0) {
      point.setSum(one(DECIMALS)).setMin(one(DECIMALS)).setMax(one(DECIMALS));
    }
    return point;
  }

  private ExponentialHistogramDataPoint.Builder exponential() {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(nanos())
            .setScale(below(9) == 0 ? one(INTEGERS).intValue() : below(24) - 4)
            .setZeroCount(below(5))
            .setZeroThreshold(below(5) == 0 ? one(DECIMALS) : 0)
            .addAllAttributes(attributes(2));
    point.getPositiveBuilder().setOffset(below(50) - 25).addAllBucketCounts(counts());
    point.getNegativeBuilder().setOffset(below(50) - 25).addAllBucketCounts(counts());
    return point;
  }

  private List<Long> counts() {
    return IntStream.range(0, below(20)).mapToObj(i -> (long) below(1000)).toList();
  }

  private SummaryDataPoint.Builder summary() {
    SummaryDataPoint.Builder point =
        SummaryDataPoint.newBuilder()
            .setTimeUnixNano(nanos())
            .setCount(below(100))
            .setSum(one(DECIMALS))
            .addAllAttributes(attributes(2));
    for (int i = 0; i < below(4); i++) {
      point.addQuantileValuesBuilder().setQuantile(i * 0.25).setValue(one(DECIMALS));
    }
    return point;
  }

  private List<KeyValue> attributes(int most) {
    List<KeyValue> attributes = new ArrayList<>();
    for (int i = below(most + 1); i > 0; i--) {
      String key = one(List.of("host", "service.name", "le", "x y", ""));
      attributes.add(KeyValue.newBuilder().setKey(key).setValue(value(0)).build());
    }
    return attributes;
  }

  private AnyValue.Builder value(int depth) {
    AnyValue.Builder value = AnyValue.newBuilder();
    switch (below(depth > 2 ? 6 : 10)) {
      case 0 -> {} // none
      case 1 -> value.setBoolValue(below(2) == 0);
      case 2 -> value.setIntValue(one(INTEGERS));
      case 3 -> value.setDoubleValue(one(DECIMALS));
      case 4 -> value.setBytesValue(ByteString.copyFromUtf8(one(TEXTS)));
      case 6 -> {
        for (int i = below(3); i >= 0; i--) {
          value.getArrayValueBuilder().addValues(value(depth + 1));
        }
      }
      case 7 ->
          value
              .getKvlistValueBuilder()
              .addValues(KeyValue.newBuilder().setKey(one(TEXTS)).setValue(value(depth + 1)));
      default -> value.setStringValue(one(TEXTS));
    }
    return value;
  }
}
