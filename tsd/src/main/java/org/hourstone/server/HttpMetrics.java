package org.hourstone.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.ServerInfo.Statistic;

/**
 * How many HTTP requests were answered, and how long they took. By endpoint, of which there are
 * few: what clients request that does not exist must not fill the memory. Thread-safe.
 */
final class HttpMetrics {
  private final Map<String, Latency> endpoints = new ConcurrentSkipListMap<>();
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
  private final Latency waiting = new Latency();

  /** A request had to wait for a thread. */
  void waited(long nanos) {
    waiting.took(nanos);
  }

  /**
   * @param endpoint one of those that exist, or the same name for all others
   * @param nanos since the request was received
   */
  void answered(String endpoint, int status, long nanos) {
    endpoints.computeIfAbsent(endpoint, e -> new Latency()).took(nanos);
    statuses.computeIfAbsent(status, s -> new LongAdder()).increment();
  }

  Map<String, Latency> endpoints() {
    return endpoints;
  }

  Latency waiting() {
    return waiting;
  }

  List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    endpoints.forEach(
        (endpoint, time) ->
            all.add(new Statistic("http.requests", time.count(), Map.of("endpoint", endpoint))));
    endpoints.forEach(
        (endpoint, time) ->
            all.add(
                new Statistic(
                    "http.millis",
                    Math.round(time.seconds() * 1000),
                    Map.of("endpoint", endpoint))));
    statuses.forEach(
        (status, count) ->
            all.add(
                new Statistic(
                    "http.responses", count.sum(), Map.of("status", Integer.toString(status)))));
    all.add(new Statistic("http.queue.millis", Math.round(waiting.seconds() * 1000), Map.of()));
    return all;
  }
}
