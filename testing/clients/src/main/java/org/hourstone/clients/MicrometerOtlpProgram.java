package org.hourstone.clients;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Publishes meters of several kinds once, when it ends: {@code HOST PORT}. */
final class MicrometerOtlpProgram {
  private MicrometerOtlpProgram() {}

  public static void main(String[] args) {
    OtlpConfig config =
        new OtlpConfig() {
          @Override
          public @Nullable String get(String key) {
            return switch (key) {
              case "otlp.url" -> "http://" + args[0] + ":" + args[1] + "/v1/metrics";
              case "otlp.resourceAttributes" -> "service.name=shop,service.instance.id=one";
              default -> null;
            };
          }

          @Override
          public Duration step() {
            return Duration.ofDays(1); // only when it is closed
          }
        };
    OtlpMeterRegistry registry = new OtlpMeterRegistry(config, Clock.SYSTEM);
    registry.counter("shop.orders", "region", "eu").increment(3);
    AtomicInteger waiting = new AtomicInteger(7);
    registry.gauge("shop.waiting", waiting, AtomicInteger::get);
    Timer timer =
        Timer.builder("shop.time")
            .tag("path", "/buy it")
            .serviceLevelObjectives(Duration.ofMillis(500))
            .register(registry);
    timer.record(Duration.ofMillis(250));
    timer.record(Duration.ofMillis(750));
    DistributionSummary sizes =
        DistributionSummary.builder("shop.sizes").publishPercentiles(0.5).register(registry);
    sizes.record(10);
    sizes.record(20);
    registry.close();
    System.out.println("waiting " + waiting);
  }
}
