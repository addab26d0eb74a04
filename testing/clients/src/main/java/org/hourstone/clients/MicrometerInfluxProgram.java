package org.hourstone.clients;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.influx.InfluxApiVersion;
import io.micrometer.influx.InfluxConfig;
import io.micrometer.influx.InfluxMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Publishes a counter, a gauge and a timer once, by both versions: {@code HOST PORT}. */
final class MicrometerInfluxProgram {
  private MicrometerInfluxProgram() {}

  public static void main(String[] args) {
    for (InfluxApiVersion version : InfluxApiVersion.values()) {
      InfluxMeterRegistry registry =
          new InfluxMeterRegistry(
              config("http://" + args[0] + ":" + args[1], version), Clock.SYSTEM);
      String prefix = version.name().toLowerCase(Locale.ROOT);
      registry.counter(prefix + ".orders", "region", "eu west").increment(3);
      AtomicInteger waiting = new AtomicInteger(7);
      registry.gauge(prefix + ".waiting", waiting, AtomicInteger::get);
      Timer timer = Timer.builder(prefix + ".time").tag("path", "/buy").register(registry);
      timer.record(Duration.ofMillis(250));
      timer.record(Duration.ofMillis(750));
      registry.close();
      System.out.println("waiting " + waiting);
    }
  }

  private static InfluxConfig config(String uri, InfluxApiVersion version) {
    return new InfluxConfig() {
      @Override
      public @Nullable String get(String key) {
        return null;
      }

      @Override
      public String uri() {
        return uri;
      }

      @Override
      public InfluxApiVersion apiVersion() {
        return version;
      }

      @Override
      public String token() {
        return "a-token";
      }

      @Override
      public String org() {
        return "org";
      }

      @Override
      public Duration step() {
        return Duration.ofDays(1); // only when it is closed
      }
    };
  }
}
