package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;
import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.testing.reference.Features;

/** Functions around queries, and formulas over metrics. */
record ExpressionRequests(Draw draw, Written written) {
  /** A formula with another one in it. */
  static final String OF_FORMULA = "e * 2 + a";

  private static final List<String> OF_ONE =
      List.of("scale", "absolute", "alias", "movingAverage", "highestCurrent", "highestMax");
  private static final List<String> OF_MANY =
      List.of(
          "sum",
          "sumSeries",
          "difference",
          "diffSeries",
          "multiply",
          "multiplySeries",
          "divide",
          "divideSeries");
  private static final List<String> OTHERS = List.of("timeShift", "shift", "firstDiff", "nosuch");
  private static final List<String> AGGREGATORS =
      List.of("sum", "avg", "max", "min", "count", "zimsum");
  private static final List<String> FORMULAS =
      List.of(
          "a + b",
          "a - b",
          "a * b",
          "a / b",
          "a % 7",
          "a * 2.5",
          "(a + b) / 2",
          "a > b",
          "a >= b && b != 0",
          "a > 10 ? a : b",
          "-a + 1",
          "a + b * a - 3");
  private static final List<String> PARTS =
      List.of(
          "formula",
          "of-formula",
          "alias",
          "intersection",
          "useQueryTags",
          "downsampler",
          "rate",
          "outputs",
          "output-of-metric",
          "fill",
          "filter");

  static void declare(Features features) {
    features.know("gexp", OF_ONE);
    features.know("gexp", OF_MANY);
    features.know("gexp", OTHERS);
    features.know("gexp", List.of("nested"));
    features.know("exp", FORMULAS);
    features.know("exp", PARTS);
  }

  Request function() {
    List<Request.Parameter> parameters = new ArrayList<>();
    parameters.add(parameter("start", written.first() / 1000 - draw.below(3600)));
    parameters.add(parameter("end", written.last() / 1000 + 1 + draw.below(3600)));
    parameters.add(parameter("exp", function(0)));
    if (draw.once(2)) {
      parameters.add(flag("ms"));
    }
    if (draw.once(5)) {
      parameters.add(flag("show_tsuids"));
    }
    return Request.get("gexp", "/api/query/gexp", parameters);
  }

  private String function(int depth) {
    if (draw.once(12)) {
      String name = draw.feature("gexp", OTHERS);
      return name + "(" + query() + (name.endsWith("hift") ? ",'10min')" : ")");
    }
    if (draw.once(3)) {
      String name = draw.feature("gexp", OF_MANY);
      String common = downsampling();
      List<String> arguments = new ArrayList<>();
      for (int i = 2 + draw.below(2); i > 0; i--) {
        arguments.add(query(common));
      }
      return name + "(" + String.join(",", arguments) + ")";
    }
    String name = draw.feature("gexp", OF_ONE);
    boolean nested = depth < 2 && draw.feature(4, "gexp", "nested");
    String argument = nested ? function(depth + 1) : query();
    return name
        + "("
        + argument
        + switch (name) {
          case "scale" -> "," + draw.one(List.of("2", "-1", "0.5", "1000", "x"));
          case "absolute" -> "";
          case "alias" -> "," + draw.one(List.of("n", "a,b", "@host"));
          case "movingAverage" -> "," + draw.one(List.of("1", "3", "10", "'10min'", "'1h'", "0"));
          default -> "," + draw.one(List.of("1", "2", "10"));
        }
        + ")";
  }

  private String query() {
    return query(draw.once(2) ? "" : downsampling());
  }

  private String downsampling() {
    long step = Math.max(1, (written.last() - written.first()) / 60_000 / 20);
    return (step * (1 + draw.below(3))) + "m-" + draw.one(AGGREGATORS) + ":";
  }

  private String query(String downsampling) {
    return draw.one(AGGREGATORS)
        + ":"
        + downsampling
        + (draw.once(6) ? "rate:" : "")
        + (draw.once(3) ? written.other() : written.metric())
        + draw.one(List.of("", "{host=*}", "{host=web01}", "{host=web01|db01}", "{host=*,dc=*}"));
  }

  Request formula() {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode time = request.putObject("time");
    time.put("start", Long.toString(written.first() / 1000 - draw.below(3600)));
    time.put("end", Long.toString(written.last() / 1000 + 1 + draw.below(3600)));
    time.put("aggregator", draw.one(AGGREGATORS));
    if (draw.once(2)) {
      draw.features().count("exp", "downsampler");
      String interval = downsampling();
      time.putObject("downsampler")
          .put("interval", interval.substring(0, interval.indexOf('-')))
          .put("aggregator", draw.one(AGGREGATORS));
    }
    if (draw.feature(6, "exp", "rate")) {
      time.put("rate", true);
    }
    ArrayNode filters = request.putArray("filters");
    boolean filtered = !draw.once(4);
    if (filtered) {
      draw.features().count("exp", "filter");
      filters
          .addObject()
          .put("id", "f")
          .putArray("tags")
          .addObject()
          .put("type", draw.one(List.of("wildcard", "literal_or")))
          .put("tagk", "host")
          .put("filter", draw.one(List.of("*", "web01|db01|web02")))
          .put("groupBy", !draw.once(4));
      if (filters.get(0).at("/tags/0/type").asText().equals("literal_or")) {
        ((ObjectNode) filters.get(0).at("/tags/0")).put("filter", "web01|db01|web02");
      }
    }
    ArrayNode metrics = request.putArray("metrics");
    for (String id : List.of("a", "b")) {
      ObjectNode metric =
          metrics
              .addObject()
              .put("id", id)
              .put("metric", id.equals("a") ? written.metric() : written.other());
      if (filtered) {
        metric.put("filter", "f");
      }
      if (draw.once(2)) {
        metric.put("aggregator", draw.one(AGGREGATORS));
      }
      if (draw.feature(4, "exp", "fill")) {
        metric.putObject("fillPolicy").put("policy", draw.one(List.of("nan", "zero")));
      }
    }
    ArrayNode expressions = request.putArray("expressions");
    draw.features().count("exp", "formula");
    join(expressions.addObject().put("id", "e").put("expr", draw.feature("exp", FORMULAS)));
    if (draw.feature(4, "exp", "of-formula")) {
      join(expressions.addObject().put("id", "g").put("expr", OF_FORMULA));
    }
    outputs(request);
    return Request.of("exp", "POST", "/api/query/exp", List.of(), request.toString());
  }

  private void join(ObjectNode expression) {
    if (draw.once(3)) {
      boolean intersection = draw.feature(2, "exp", "intersection");
      ObjectNode join =
          expression.putObject("join").put("operator", intersection ? "intersection" : "union");
      if (draw.feature(3, "exp", "useQueryTags")) {
        join.put("useQueryTags", true);
      }
      if (draw.once(3)) {
        join.put("includeAggTags", false);
      }
    }
  }

  private void outputs(ObjectNode request) {
    if (draw.feature(2, "exp", "outputs")) {
      ArrayNode outputs = request.putArray("outputs");
      ObjectNode output = outputs.addObject().put("id", "e");
      if (draw.feature(2, "exp", "alias")) {
        output.put("alias", "the result");
      }
      if (draw.feature(4, "exp", "output-of-metric")) {
        outputs.addObject().put("id", "a");
      }
    }
  }
}
