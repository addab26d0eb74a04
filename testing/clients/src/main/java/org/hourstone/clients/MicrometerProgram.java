package org.hourstone.clients;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.opentsdb.OpenTSDBConfig;
import io.micrometer.opentsdb.OpenTSDBMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Publishes a counter, a gauge and a timer with a histogram once: {@code HOST PORT}. */
final class MicrometerProgram {
  private MicrometerProgram() {}

  public static void main(String[] args) {
    OpenTSDBConfig config =
        new OpenTSDBConfig() {
          @Override
          public @Nullable String get(String key) {
            return null;
          }

          @Override
          public String uri() {
            return "http://" + args[0] + ":" + args[1] + "/api/put";
          }

          @Override
          public Duration step() {
            return Duration.ofDays(1); // only when it is closed
          }
        };
    OpenTSDBMeterRegistry registry = new OpenTSDBMeterRegistry(config, Clock.SYSTEM);
    registry.counter("shop.orders", "region", "eu").increment(3);
    AtomicInteger waiting = new AtomicInteger(7);
    registry.gauge("shop.waiting", waiting, AtomicInteger::get);
    Timer timer =
        Timer.builder("shop.time")
            .tag("path", "/buy")
            .publishPercentileHistogram()
            .register(registry);
    timer.record(Duration.ofMillis(250));
    timer.record(Duration.ofMillis(750));
    registry.close();
    System.out.println("waiting " + waiting);
  }
}
