package org.hourstone.server;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.Api;
import org.hourstone.api.ServerInfo.Statistic;

/**
 * {@code /metrics}: the statistics of {@code /api/stats}, and histograms of latencies, in
 * Prometheus' text format.
 */
final class MetricsPage {
  static final String PATH = "/metrics";
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Api api;
  private final HttpMetrics http;

  MetricsPage(Api api, HttpMetrics http) {
    this.api = api;
    this.http = http;
  }

  Page page() {
    StringBuilder text = new StringBuilder();
    // All values of a metric must be together.
    Map<String, StringBuilder> metrics = new TreeMap<>();
    for (Statistic each : api.statistics()) {
      Map<String, String> labels = new TreeMap<>(each.tags());
      labels.remove("host"); // it is the target's
      String name = name(each.metric());
      append(
          metrics.computeIfAbsent(name, n -> new StringBuilder("# TYPE " + n + " untyped\n")),
          name,
          labels,
          Long.toString(each.value()));
    }
    metrics.values().forEach(text::append);
    String requests = "tsd_http_request_seconds";
    text.append("# TYPE ").append(requests).append(" histogram\n");
    http.endpoints()
        .forEach((endpoint, time) -> histogram(text, requests, Map.of("endpoint", endpoint), time));
    String waiting = "tsd_http_queue_seconds";
    text.append("# TYPE ").append(waiting).append(" histogram\n");
    histogram(text, waiting, Map.of(), http.waiting());
    return new Page(200, CONTENT_TYPE, text.toString().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private static String name(String metric) {
    return metric.replaceAll("[^A-Za-z0-9_]", "_");
  }

  private static void histogram(
      StringBuilder text, String name, Map<String, String> labels, Latency time) {
    List<Latency.Bucket> buckets = time.buckets();
    for (Latency.Bucket bucket : buckets) {
      Map<String, String> all = new TreeMap<>(labels);
      boolean last = Double.isInfinite(bucket.seconds());
      all.put("le", last ? "+Inf" : Double.toString(bucket.seconds()));
      append(text, name + "_bucket", all, Long.toString(bucket.count()));
    }
    append(text, name + "_sum", labels, String.format(Locale.ROOT, "%.6f", time.seconds()));
    append(text, name + "_count", labels, Long.toString(buckets.get(buckets.size() - 1).count()));
  }

  private static void append(
      StringBuilder text, String name, Map<String, String> labels, String value) {
    text.append(name);
    String separator = "{";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(separator).append(name(label.getKey())).append("=\"");
      text.append(
          label.getValue().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
      text.append('"');
      separator = ",";
    }
    text.append(labels.isEmpty() ? " " : "} ").append(value).append('\n');
  }
}
