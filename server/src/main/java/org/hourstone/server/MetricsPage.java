package org.hourstone.server;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.Api;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * {@code /metrics}: the statistics of {@code /api/stats}, and the other meters of a registry, in
 * Prometheus' text format. The registry has the statistics as of the latest request. Thread-safe.
 */
final class MetricsPage {
  static final String PATH = "/metrics";
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Api api;
  private final PrometheusMeterRegistry registry;

  /** The gauges by metric of {@code /api/stats}. */
  private final Map<String, MultiGauge> gauges = new TreeMap<>();

  MetricsPage(Api api, PrometheusMeterRegistry registry) {
    this.api = api;
    this.registry = registry;
  }

  Page page() {
    return new Page(200, CONTENT_TYPE, text().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /** One call at a time, since another page would lack gauges that are being replaced. */
  private synchronized String text() {
    Map<String, List<MultiGauge.Row<?>>> rows = new TreeMap<>();
    for (Statistic each : api.statistics()) {
      rows.computeIfAbsent(each.metric(), m -> new ArrayList<>())
          .add(MultiGauge.Row.of(labels(each), each.value()));
    }
    rows.keySet().forEach(metric -> gauges.computeIfAbsent(metric, this::gauge));
    gauges.forEach((metric, gauge) -> gauge.register(rows.getOrDefault(metric, List.of()), true));
    return registry.scrape();
  }

  private MultiGauge gauge(String metric) {
    return MultiGauge.builder(metric).description(metric + " of /api/stats").register(registry);
  }

  private static Tags labels(Statistic statistic) {
    return Tags.of(
        statistic.tags().entrySet().stream()
            .filter(tag -> !tag.getKey().equals("host")) // Prometheus sets this for the target
            .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
            .toList());
  }
}
