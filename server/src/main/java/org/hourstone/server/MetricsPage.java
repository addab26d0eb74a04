package org.hourstone.server;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.api.status.MetricNames;
import org.hourstone.health.StoreState;

/**
 * {@code /metrics}: the statistics of {@code /api/stats} under names of Prometheus, the histograms
 * of a registry, and figures of the process, the JVM and the store, in Prometheus' text format.
 * Thread-safe.
 */
final class MetricsPage {
  static final String PATH = "/metrics";
  private static final String PREFIX = "hourstone_";
  private static final String COUNTER = "_total";
  private static final PrometheusTextFormatWriter FORMAT =
      PrometheusTextFormatWriter.builder().build();

  private final Tsdb db;
  private final Api api;
  private final Build build;
  private final PrometheusRegistry registry;

  /**
   * @param registry gets the figures of the process and the JVM
   */
  MetricsPage(Tsdb db, Api api, Build build, PrometheusRegistry registry) {
    this.db = db;
    this.api = api;
    this.build = build;
    this.registry = registry;
    ProcessMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
    JvmThreadsMetrics.builder().register(registry);
  }

  Page page() {
    List<MetricSnapshot> all = new ArrayList<>(registry.scrape().stream().toList());
    all.addAll(new Metrics().ofStatistics().ofStore().snapshots());
    all.add(ofBuild());
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      FORMAT.write(text, new MetricSnapshots(all));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory accepts everything
    }
    return new Page(200, FORMAT.getContentType(), text.toByteArray(), Map.of());
  }

  private MetricSnapshot ofBuild() {
    Labels labels = Labels.of("version", build.version(), "revision", build.commit());
    return InfoSnapshot.builder()
        .name(PREFIX + "build")
        .help("Always 1; the program is in the labels")
        .dataPoint(InfoDataPointSnapshot.builder().labels(labels).build())
        .build();
  }

  /** Samples by the names of their metrics. */
  private final class Metrics {
    private final Map<String, String> help = new LinkedHashMap<>();
    private final Map<String, Map<Labels, Double>> samples = new LinkedHashMap<>();

    Metrics ofStatistics() {
      for (Statistic each : api.statistics()) {
        MetricNames.Named named = MetricNames.of(each);
        if (named != null) {
          add(named.name(), named.help(), labels(named.labels()), named.value());
        }
      }
      return this;
    }

    Metrics ofStore() {
      for (ServerInfo.Figure each : api.storeFigures()) {
        add(each.name(), each.meaning(), Labels.EMPTY, (double) each.value());
      }
      StoreState state = db.storeState();
      boolean isReady = state.answers() && state.refusal() == null;
      add(
          "ready",
          "1 if a point can be stored now, as /readyz says",
          Labels.EMPTY,
          isReady ? 1 : 0);
      return this;
    }

    private static Labels labels(Map<String, String> labels) {
      return Labels.of(
          labels.keySet().toArray(new String[0]), labels.values().toArray(new String[0]));
    }

    private void add(String name, String meaning, Labels labels, double value) {
      help.putIfAbsent(name, meaning);
      samples.computeIfAbsent(name, n -> new LinkedHashMap<>()).put(labels, value);
    }

    List<MetricSnapshot> snapshots() {
      List<MetricSnapshot> all = new ArrayList<>();
      samples.forEach((name, values) -> all.add(snapshot(name, values)));
      return all;
    }

    private MetricSnapshot snapshot(String name, Map<Labels, Double> values) {
      String text = help.getOrDefault(name, "");
      if (name.endsWith(COUNTER)) {
        CounterSnapshot.Builder counter =
            CounterSnapshot.builder()
                .name(PREFIX + name.substring(0, name.length() - COUNTER.length()))
                .help(text);
        values.forEach(
            (labels, value) ->
                counter.dataPoint(
                    CounterDataPointSnapshot.builder().labels(labels).value(value).build()));
        return counter.build();
      }
      GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(PREFIX + name).help(text);
      values.forEach(
          (labels, value) ->
              gauge.dataPoint(
                  GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
      return gauge.build();
    }
  }
}
