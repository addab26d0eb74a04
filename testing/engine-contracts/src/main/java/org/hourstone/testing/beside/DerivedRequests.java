package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.testing.reference.Features;
import org.hourstone.testing.reference.RandomQuery;

/** Queries of rolled-up values, pre-aggregates and histograms, and writes of such values. */
record DerivedRequests(Draw draw, Written written) {
  private static final List<String> INTERVALS =
      List.of("7m", "10m", "30m", "1h", "90m", "2h", "6h", "1d", "2d", "1hc", "1dc", "0all");
  private static final List<String> USUAL = List.of("sum", "count", "min", "max", "avg");
  private static final List<String> OTHERS =
      List.of(
          "zimsum",
          "pfsum",
          "mimmin",
          "mimmax",
          "squareSum",
          "dev",
          "first",
          "last",
          "diff",
          "mult",
          "median",
          "p95",
          "ep99r7");
  private static final List<String> FILLS = List.of("", "", "-none", "-nan", "-null", "-zero");
  private static final List<String> USAGES =
      List.of(
          "absent",
          "ROLLUP_RAW",
          "ROLLUP_NOFALLBACK",
          "ROLLUP_FALLBACK",
          "ROLLUP_FALLBACK_RAW",
          "NOSUCH");
  private static final List<String> OF_HISTOGRAMS =
      List.of("absent", "1m-sum", "10m-sum", "1h-sum", "0all-sum", "1hc-sum", "1h-avg");
  private static final List<String> VIEWS = List.of("percentiles", "buckets", "both");
  private static final List<String> FAULTS =
      List.of(
          "none",
          "unknown-interval",
          "unknown-aggregator",
          "no-interval",
          "no-aggregator",
          "no-value",
          "bad-value",
          "no-buckets",
          "bad-bucket",
          "bad-metric");

  static void declare(Features features) {
    features.know("rolled", INTERVALS);
    features.know("rolled", List.of("pre-aggregate", "points"));
    features.know("rollup-usage", USAGES);
    features.know("rolled-by", USUAL);
    features.know("rolled-by", OTHERS);
    features.know("histograms", VIEWS);
    features.know("histogram-downsample", OF_HISTOGRAMS);
    features.know("rolled-put", FAULTS);
    features.know("histogram-put", FAULTS);
  }

  Request rolled() {
    ObjectNode request = request(written.rolled());
    ObjectNode query = query(request);
    if (draw.feature(6, "rolled", "points")) {
      query.put("metric", written.metric());
    }
    query.remove("downsample");
    if (!draw.once(10)) {
      String by = draw.feature("rolled-by", draw.once(3) ? OTHERS : USUAL);
      String fill = draw.one(FILLS);
      query.put("downsample", draw.feature("rolled", INTERVALS) + "-" + by + fill);
    }
    if (draw.feature(5, "rolled", "pre-aggregate")) {
      query.put("preAggregate", true);
    }
    String usage = draw.feature("rollup-usage", USAGES);
    if (!usage.equals("absent")) {
      query.put("rollupUsage", usage);
    }
    return new QueryRequests(draw, written).inSomeForm(request);
  }

  Request histograms() {
    ObjectNode request = request(written.histograms());
    ObjectNode query = query(request);
    if (!draw.once(6)) {
      query.put("aggregator", draw.one(List.of("sum", "none")));
    }
    if (!draw.once(6)) {
      query.remove(List.of("rate", "rateOptions"));
    }
    String downsample = draw.feature("histogram-downsample", OF_HISTOGRAMS);
    query.remove("downsample");
    if (!downsample.equals("absent")) {
      query.put("downsample", downsample);
    }
    if (draw.once(2)) {
      query.put("rollupUsage", "ROLLUP_RAW"); // else intervals are not looked for in points
    }
    String view = draw.feature("histograms", VIEWS);
    if (!view.equals("buckets")) {
      ArrayNode percentiles = query.putArray("percentiles");
      for (int i = draw.below(3); i >= 0; i--) {
        percentiles.add(draw.one(List.of(0.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 100.0)));
      }
    }
    if (!view.equals("percentiles")) {
      query.put("showHistogramBuckets", true);
    }
    return new QueryRequests(draw, written).inSomeForm(request);
  }

  /** A range in the hours that have such values. */
  private ObjectNode request(String metric) {
    ObjectNode request =
        new RandomQuery(draw.random(), draw.features(), written.points()).draw(metric);
    long from = written.rolledFrom();
    long start = draw.once(2) ? from - draw.below(7_200) : from + draw.below(20) * 600L;
    long end = draw.once(2) ? from + 4 * 86_400L : start + 1 + draw.below(100_000);
    return request.put("start", start).put("end", end);
  }

  private static ObjectNode query(ObjectNode request) {
    return (ObjectNode) request.get("queries").get(0);
  }

  Request rolledPut() {
    ObjectNode value = value().put("value", 7).put("interval", "1h").put("aggregator", "sum");
    return put("rolled-put", "/api/rollup", value);
  }

  Request histogramPut() {
    ObjectNode value = value().put("underflow", 1).put("overflow", 2);
    value.putObject("buckets").put("0,1", 3).put("1,2.5", 4);
    return put("histogram-put", "/api/histogram", value);
  }

  /** In a metric that is not queried. */
  private ObjectNode value() {
    ObjectNode value = JsonNodeFactory.instance.objectNode().put("metric", "beside.written");
    value.put("timestamp", 1_400_000_400L).putObject("tags").put("host", "web01");
    return value;
  }

  private Request put(String kind, String path, ObjectNode value) {
    switch (draw.feature(kind, FAULTS)) {
      case "unknown-interval" -> value.put("interval", "7h");
      case "unknown-aggregator" -> value.put("aggregator", "p95");
      case "no-interval" -> value.remove("interval");
      case "no-aggregator" -> value.remove("aggregator");
      case "no-value" -> value.remove("value");
      case "bad-value" -> value.put("value", draw.one(List.of("", "x", "NaN", "1e400")));
      case "no-buckets" -> value.remove("buckets");
      case "bad-bucket" -> value.putObject("buckets").put(draw.one(List.of("", "1", "a,b")), 3);
      case "bad-metric" -> value.put("metric", "a b");
      default -> {}
    }
    List<Request.Parameter> parameters = new ArrayList<>();
    for (String form : List.of("summary", "details")) {
      if (draw.once(2)) {
        parameters.add(flag(form));
      }
    }
    return Request.of(kind, "POST", path, parameters, value.toString());
  }
}
