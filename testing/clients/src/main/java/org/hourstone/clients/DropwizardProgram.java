package org.hourstone.clients;

import com.codahale.metrics.Histogram;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.UniformReservoir;
import com.github.sps.metrics.OpenTsdbReporter;
import com.github.sps.metrics.opentsdb.OpenTsdb;
import com.github.sps.metrics.opentsdb.OpenTsdbTelnet;
import java.util.Map;

/** Reports a counter and a histogram by HTTP, compressed, and by telnet: {@code HOST PORT}. */
final class DropwizardProgram {
  private DropwizardProgram() {}

  public static void main(String[] args) {
    MetricRegistry registry = new MetricRegistry();
    registry.counter("jobs").inc(42);
    // Not the default one, which weighs values by their age in seconds.
    Histogram sizes = registry.register("sizes", new Histogram(new UniformReservoir()));
    for (int i = 1; i <= 100; i++) {
      sizes.update(i);
    }
    OpenTsdb http =
        OpenTsdb.forService("http://" + args[0] + ":" + args[1]).withGzipEnabled(true).create();
    report(registry, "http", http);
    report(
        registry, "telnet", OpenTsdbTelnet.forService(args[0], Integer.parseInt(args[1])).create());
  }

  private static void report(MetricRegistry registry, String prefix, OpenTsdb to) {
    OpenTsdbReporter.forRegistry(registry)
        .prefixedWith(prefix)
        .withTags(Map.of("host", "web01"))
        .build(to)
        .report();
  }
}
