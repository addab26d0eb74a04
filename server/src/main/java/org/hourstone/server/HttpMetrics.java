package org.hourstone.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * The number and duration of HTTP requests. They are counted by endpoint, of which there are few,
 * so that requests for paths that don't exist can't fill the memory. Thread-safe.
 */
final class HttpMetrics {
  private static final Duration[] BOUNDS =
      DoubleStream.of(1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .mapToObj(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  /** The timers by endpoint; the registry would compare tags for each request. */
  private final Map<String, Timer> endpoints = new ConcurrentSkipListMap<>();

  /**
   * These are not counters of the registry, since Prometheus' client adds {@code _total} to the
   * names of counters.
   */
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();

  private final Timer waiting;

  /**
   * @param registry gets the timers
   */
  HttpMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.waiting =
        Timer.builder("tsd.http.queue")
            .description("Until a thread takes a request")
            .serviceLevelObjectives(BOUNDS)
            .register(registry);
  }

  private Timer ofEndpoint(String endpoint) {
    return Timer.builder("tsd.http.request")
        .description("From the reception of a request to the end of its response")
        .tag("endpoint", endpoint)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /** Records that a request had to wait for a thread. */
  void waited(long nanos) {
    waiting.record(nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * @param endpoint an existing endpoint, or one common name for all other paths
   * @param nanos the time since the request was received
   */
  void answered(String endpoint, int status, long nanos) {
    endpoints.computeIfAbsent(endpoint, this::ofEndpoint).record(nanos, TimeUnit.NANOSECONDS);
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
            all.add(new Statistic("http.requests", time.count(), Map.of("endpoint", endpoint))));
    endpoints.forEach(
        (endpoint, time) ->
            all.add(new Statistic("http.millis", millis(time), Map.of("endpoint", endpoint))));
    statuses.forEach(
        (status, count) ->
            all.add(
                new Statistic(
                    "http.responses", count.sum(), Map.of("status", Integer.toString(status)))));
    all.add(new Statistic("http.queue.millis", millis(waiting), Map.of()));
    return all;
  }

  private static long millis(Timer time) {
    return Math.round(time.totalTime(TimeUnit.MILLISECONDS));
  }
}
