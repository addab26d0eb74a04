package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.api.request.ServerInfo.Statistic;

/** An API to which lines are written. */
abstract class InfluxCase extends ApiCase {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  void putPoints() {}

  final ApiResponse write(String uri, byte[] body) {
    return api.respond("POST", uri, "text/plain", body, new Disconnection(), Role.all());
  }

  /** The status of the response, and its body as it is sent. */
  final String respond(String method, String uri, String body) {
    try (ApiResponse response = api.sent(uri, "", api.respond(ApiCall.of(method, uri, body)))) {
      return (response.status() + " " + response.body().replace('"', '\'')).strip();
    }
  }

  final String write(String body) {
    return respond("POST", "/write?precision=s", body);
  }

  /** All points of a metric, as {@code metric{tag=value} millis value}, sorted. */
  final List<String> points(String metric) {
    db.flush();
    String uri = "/api/query?start=0&end=4294967295&ms&m=none:" + metric;
    List<String> points = new ArrayList<>();
    try (ApiResponse response = api.respond(ApiCall.of("GET", uri, ""))) {
      for (JsonNode result : JSON.readTree(response.body())) {
        Map<String, String> tags = new TreeMap<>();
        result.path("tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
        for (Map.Entry<String, JsonNode> point : result.path("dps").properties()) {
          points.add(
              result.path("metric").asText()
                  + tags
                  + " "
                  + point.getKey()
                  + " "
                  + point.getValue());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    points.sort(null);
    return points;
  }

  /** The counters that are not 0, by metric and type. */
  final Map<String, Long> counters() {
    Map<String, Long> counters = new HashMap<>();
    for (Statistic each : api.statistics()) {
      boolean isOfWrites =
          each.metric().startsWith("tsd.door.")
              || each.metric().equals("tsd.rpc.errors")
              || each.metric().equals("tsd.datapoints.failed");
      if (isOfWrites && each.value() > 0) {
        counters.put(
            (each.metric() + " " + each.tags().getOrDefault("type", "")).strip(), each.value());
      }
    }
    return counters;
  }
}
