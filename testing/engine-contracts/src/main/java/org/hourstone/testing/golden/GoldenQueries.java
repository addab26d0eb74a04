package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/**
 * Makes recorded queries, because they may change cells, and compares whether they are answered;
 * and, where the points of single series are asked for, or other than points, what they are.
 */
final class GoldenQueries {
  private static final int OK = 200;

  /** Recordings of which every query's points are compared: what is read is what matters there. */
  private static final Set<String> SOURCES = Set.of("rollups.json", "histograms.json");

  private final String scenario;
  private final boolean samePoints;
  private final boolean everyPoint;

  /**
   * @param samePoints whether the recording has the points that were put, all of them
   */
  GoldenQueries(Scenario scenario, boolean samePoints) {
    this.scenario = scenario.toString();
    this.samePoints = samePoints;
    this.everyPoint = SOURCES.contains(scenario.file());
  }

  /** Makes a query; other requests are left alone. */
  void compare(JsonNode recorded, Api api) {
    ApiCall call = RecordedAnswer.call(recorded);
    if (!call.path().equals("/api/query")) {
      return;
    }
    ApiResponse answer = api.respond(call);
    String response = recorded.path("response").asText();
    assertThat(answer.status() == OK)
        .describedAs("%s: %s: recorded %s, answered %s", scenario, call, response, answer.body())
        .isEqualTo(recorded.required("status").asInt() == OK);
    if (answer.status() == OK && samePoints && (everyPoint || isOfSingleSeries(recorded))) {
      assertThat(points(answer.body()))
          .describedAs("%s: %s", scenario, call)
          .isEqualTo(points(response));
    }
  }

  private static boolean isOfSingleSeries(JsonNode recorded) {
    for (JsonNode query : recorded.path("body").path("queries")) {
      if (!query.path("aggregator").asText().equals("none") || query.has("downsample")) {
        return false;
      }
    }
    return recorded.path("body").isObject();
  }

  /** Of each series its points, as numbers. */
  private static Map<String, List<String>> points(String body) {
    Map<String, List<String>> points = new TreeMap<>();
    for (JsonNode series : RecordedAnswer.parse(body)) {
      List<String> ofSeries = new ArrayList<>();
      series
          .required("dps")
          .properties()
          .forEach(point -> ofSeries.add(point.getKey() + "=" + point.getValue().asText()));
      Collections.sort(ofSeries); // OpenTSDB's histograms come in the order of their qualifiers
      Map<String, String> tags = new TreeMap<>(Scenario.config(series.required("tags")));
      points.put(series.required("metric").asText() + tags, ofSeries);
    }
    return points;
  }
}
