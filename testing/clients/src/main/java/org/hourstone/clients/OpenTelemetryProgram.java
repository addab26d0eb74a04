package org.hourstone.clients;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Exports instruments of all kinds twice, compressed: {@code HOST PORT}. */
final class OpenTelemetryProgram {
  private static final int SECONDS = 60;

  private OpenTelemetryProgram() {}

  public static void main(String[] args) {
    OtlpHttpMetricExporter exporter =
        OtlpHttpMetricExporter.builder()
            .setEndpoint("http://" + args[0] + ":" + args[1] + "/v1/metrics")
            .setCompression("gzip")
            .build();
    SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"), "shop",
                        AttributeKey.stringKey("service.instance.id"), "one",
                        AttributeKey.stringKey("os.type"), "linux")))
            .registerMetricReader(
                PeriodicMetricReader.builder(exporter).setInterval(Duration.ofDays(1)).build())
            .registerView(
                InstrumentSelector.builder().setName("fine").build(),
                View.builder()
                    .setAggregation(Aggregation.base2ExponentialBucketHistogram())
                    .build())
            .build();
    Meter meter = provider.get("shop");
    Attributes eu = Attributes.of(AttributeKey.stringKey("region"), "eu");
    LongCounter orders = meter.counterBuilder("orders").setUnit("1").build();
    var unusedGauge =
        meter.gaugeBuilder("temperature").buildWithCallback(each -> each.record(21.5, eu));
    var unusedCounter =
        meter
            .upDownCounterBuilder("waiting")
            .buildWithCallback(
                each ->
                    each.record(
                        -7,
                        Attributes.of(
                            AttributeKey.longKey("n"),
                            5L,
                            AttributeKey.booleanKey("vip"),
                            true,
                            AttributeKey.stringArrayKey("list"),
                            List.of("a"))));
    DoubleHistogram time =
        meter.histogramBuilder("time").setExplicitBucketBoundariesAdvice(List.of(0.1, 1.0)).build();
    DoubleHistogram fine = meter.histogramBuilder("fine").build();
    orders.add(3, eu);
    time.record(0.25, eu);
    time.record(10, eu);
    fine.record(1, eu);
    fine.record(3, eu);
    boolean first = provider.forceFlush().join(SECONDS, TimeUnit.SECONDS).isSuccess();
    orders.add(4, eu);
    boolean second = provider.shutdown().join(SECONDS, TimeUnit.SECONDS).isSuccess();
    System.out.println("exported " + first + " " + second);
  }
}
