package org.hourstone.server;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * The number and duration of HTTP requests. They are counted by endpoint, of which there are few,
 * so that requests for paths that don't exist can't fill the memory. Thread-safe.
 */
final class HttpMetrics {
  private static final double[] SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
  };
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Histogram requests;

  /** Those of {@link #requests}, which would create the labels again for each. */
  private final Map<String, DistributionDataPoint> endpoints = new ConcurrentSkipListMap<>();

  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();

  private final Histogram waiting;

  /**
   * @param registry gets the histograms
   */
  HttpMetrics(PrometheusRegistry registry) {
    this.requests =
        histogram(
                "hourstone_http_request_seconds",
                "From the reception of a request to the end of its response")
            .labelNames("endpoint")
            .register(registry);
    this.waiting =
        histogram(
                "hourstone_http_queue_seconds",
                "From the reception of a request or a part of its body until a thread takes it")
            .register(registry);
  }

  private static Histogram.Builder histogram(String name, String help) {
    Histogram.Builder builder =
        Histogram.builder().name(name).help(help).classicOnly().classicUpperBounds(SECONDS);
    builder.withoutExemplars();
    return builder;
  }

  /** Records that a request had to wait for a thread. */
  void waited(long nanos) {
    waiting.observe(nanos / NANOS);
  }

  /**
   * @param endpoint an existing endpoint, or one common name for all other paths
   * @param nanos the time since the request was received
   */
  void answered(String endpoint, int status, long nanos) {
    endpoints.computeIfAbsent(endpoint, requests::labelValues).observe(nanos / NANOS);
    refused(status);
  }

  /** Records the response to a request that can't be received. */
  void refused(int status) {
    statuses.computeIfAbsent(status, s -> new LongAdder()).increment();
  }

  List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    endpoints.forEach(
        (endpoint, time) ->
            all.add(new Statistic("http.requests", time.getCount(), Map.of("endpoint", endpoint))));
    endpoints.forEach(
        (endpoint, time) ->
            all.add(
                new Statistic("http.millis", millis(time.getSum()), Map.of("endpoint", endpoint))));
    statuses.forEach(
        (status, count) ->
            all.add(
                new Statistic(
                    "http.responses", count.sum(), Map.of("status", Integer.toString(status)))));
    all.add(new Statistic("http.queue.millis", millis(waiting.getSum()), Map.of()));
    return all;
  }

  private static long millis(double seconds) {
    return Math.round(seconds * 1e3);
  }
}
