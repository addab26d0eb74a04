package org.hourstone.testing.beside;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.testing.golden.RequestPort;

/**
 * Writes random rolled-up values, pre-aggregates and histograms of series that have points, each by
 * one of the two sides. The values of an interval are not those of points, so that a result shows
 * what was read.
 */
record DerivedValues(Tables tables, Written written, Draw draw) {
  /** Intervals that both sides are configured with. */
  private static final List<String> INTERVALS = List.of("10m", "1d", "1h");

  /** Aggregations that have an id. */
  static final List<String> AGGREGATIONS = List.of("sum", "count", "min", "max");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_SERIES = 3;
  private static final int MOST_INTERVALS = 30;
  private static final int MOST_HISTOGRAMS = 30;
  private static final List<List<String>> BUCKETS =
      List.of(
          List.of("0,1", "1,2", "2,4", "4,8"),
          List.of("0,0.5", "0.5,10"),
          List.of("-3,0", "0,1.75", "1.75,1000000"),
          List.of("1,2"));

  void write() {
    List<Map<String, String>> series = written.series();
    List<Map<String, String>> some = series.subList(0, Math.min(MOST_SERIES, series.size()));
    for (String interval : INTERVALS) {
      if (!draw.once(4)) {
        for (String aggregation : AGGREGATIONS) {
          rollUp(some, interval, aggregation);
        }
      }
    }
    aggregate(some);
    histograms(some);
  }

  private void rollUp(List<Map<String, String>> series, String interval, String aggregation) {
    List<ObjectNode> values = new ArrayList<>();
    for (Map<String, String> tags : series) {
      long seconds = seconds(interval);
      long base = written.rolledFrom() - written.rolledFrom() % seconds;
      for (int i = draw.below(MOST_INTERVALS); i >= 0; i--) {
        if (!draw.once(5)) {
          ObjectNode value = value(written.rolled(), base + i * seconds, tags);
          values.add(
              number(value, aggregation.equals("count"))
                  .put("interval", interval)
                  .put("aggregator", aggregation));
        }
      }
    }
    put("/api/rollup", values);
    tables.awaitPoints("none:" + interval + "-" + aggregation + ":" + written.rolled(), values);
  }

  private static long seconds(String interval) {
    return switch (interval) {
      case "10m" -> 600;
      case "1h" -> 3_600;
      default -> 86_400;
    };
  }

  /** Also with intervals; those without are stored as points are. */
  private void aggregate(List<Map<String, String>> series) {
    for (String interval : List.of("", "1h")) {
      List<ObjectNode> values = new ArrayList<>();
      for (Map<String, String> tags : series) {
        for (String by : List.of("sum", "max")) {
          for (int i = draw.below(10); i >= 0; i--) {
            long time = written.rolledFrom() + i * 3_600L;
            ObjectNode value = number(value(written.rolled(), time, tags), false);
            value.put("groupByAggregator", by);
            if (!interval.isEmpty()) {
              value.put("interval", interval).put("aggregator", "sum");
            }
            values.add(value);
          }
        }
      }
      put("/api/rollup", values);
      String downsample = interval.isEmpty() ? "" : interval + "-sum:";
      tables.awaitPoints("none:" + downsample + "pre-agg:" + written.rolled(), values);
    }
  }

  private void histograms(List<Map<String, String>> series) {
    List<ObjectNode> values = new ArrayList<>();
    List<String> buckets = draw.one(BUCKETS);
    boolean milliseconds = draw.once(3); // mixed ones OpenTSDB returns in the order of their bytes
    for (Map<String, String> tags : series) {
      for (int i = draw.below(MOST_HISTOGRAMS); i >= 0; i--) {
        long time = written.rolledFrom() + i * 300L;
        ObjectNode value = value(written.histograms(), milliseconds ? time * 1000 + 5 : time, tags);
        ObjectNode counts = value.put("underflow", draw.below(3)).putObject("buckets");
        buckets.forEach(bucket -> counts.put(bucket, draw.below(20)));
        values.add(value.put("overflow", draw.below(3)));
      }
    }
    put("/api/histogram", values);
    tables.awaitPoints("none:percentiles[50]:" + written.histograms(), values);
  }

  private static ObjectNode value(String metric, long time, Map<String, String> tags) {
    ObjectNode value = JSON.createObjectNode().put("metric", metric).put("timestamp", time);
    ObjectNode names = value.putObject("tags");
    tags.forEach(names::put);
    return value;
  }

  private ObjectNode number(ObjectNode value, boolean whole) {
    return whole || draw.once(2)
        ? value.put("value", 1 + draw.below(1000))
        : value.put("value", draw.below(1000) + 0.25);
  }

  private void put(String path, List<ObjectNode> values) {
    ArrayNode byUs = JSON.createArrayNode();
    ArrayNode byThem = JSON.createArrayNode();
    values.forEach(value -> (draw.once(2) ? byUs : byThem).add(value));
    put(tables.ours(), path, byUs);
    put(tables.theirs(), path, byThem);
  }

  private static void put(RequestPort side, String path, ArrayNode body) {
    if (!body.isEmpty()) {
      Request put = Request.of("", "POST", path, List.of(Request.flag("details")), body.toString());
      RequestPort.Response response = put.answer(side);
      if (response.status() != 200 || !response.body().contains("\"failed\":0")) {
        throw new AssertionError(response);
      }
    }
  }
}
