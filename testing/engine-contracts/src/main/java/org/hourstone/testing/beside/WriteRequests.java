package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;
import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.testing.reference.Features;

/**
 * Writes of points of which some are wrong. Those that are right have the same value each time, in
 * a metric that is not queried.
 */
record WriteRequests(Draw draw, Written written) {
  private static final List<String> FAULTS =
      List.of(
          "none",
          "no-metric",
          "empty-metric",
          "bad-metric",
          "no-timestamp",
          "bad-timestamp",
          "no-value",
          "bad-value",
          "no-tags",
          "empty-tags",
          "bad-tag",
          "many-tags");
  private static final List<String> FORMS =
      List.of("object", "array", "summary", "details", "sync");
  private static final List<String> LINES = List.of("put", "version", "unknown-command", "empty");

  static void declare(Features features) {
    features.know("put", FAULTS);
    features.know("put", FORMS);
    features.know("telnet", LINES);
    features.know("telnet", FAULTS);
  }

  Request http() {
    JsonNode body;
    if (draw.feature("put", List.of("object", "array")).equals("object")) {
      body = point();
    } else {
      ArrayNode points = JsonNodeFactory.instance.arrayNode();
      for (int i = draw.below(6); i > 0; i--) {
        points.add(point());
      }
      body = points;
    }
    List<Request.Parameter> parameters = new ArrayList<>();
    for (String form : List.of("summary", "details", "sync")) {
      if (draw.feature(form.equals("details") ? 2 : 4, "put", form)) {
        parameters.add(flag(form));
        if (form.equals("sync") && draw.once(3)) {
          parameters.add(parameter("sync_timeout", 60_000));
        }
      }
    }
    return Request.of("put", "POST", "/api/put", parameters, body.toString());
  }

  private ObjectNode point() {
    ObjectNode point = JsonNodeFactory.instance.objectNode();
    point.put("metric", "beside.written");
    long time = 1_400_000_000L + draw.below(5);
    point.put("timestamp", time).put("value", time % 7);
    ObjectNode tags = point.putObject("tags").put("host", draw.one(List.of("web01", "db01")));
    switch (draw.feature("put", draw.once(2) ? List.of("none") : FAULTS)) {
      case "no-metric" -> point.remove("metric");
      case "empty-metric" -> point.put("metric", "");
      case "bad-metric" -> point.put("metric", draw.one(List.of("a b", "a:b", "m\u20ac", "a=")));
      case "no-timestamp" -> point.remove("timestamp");
      case "bad-timestamp" ->
          point.set(
              "timestamp",
              draw.one(
                  List.<JsonNode>of(
                      number(0),
                      number(-1),
                      number(99_999_999_999_999L),
                      TextNode.valueOf("abc"),
                      TextNode.valueOf(""))));
      case "no-value" -> point.remove("value");
      case "bad-value" ->
          point.put(
              "value",
              draw.one(
                  List.of(
                      "",
                      "x",
                      "NaN",
                      "Infinity",
                      "1e400",
                      "--1",
                      "1.2.3",
                      "0x10",
                      "1f",
                      "9223372036854775808")));
      case "no-tags" -> point.remove("tags");
      case "empty-tags" -> tags.removeAll();
      case "bad-tag" ->
          tags.put(draw.one(List.of("", "a b", "k=")), draw.one(List.of("", "v w", "ok")));
      case "many-tags" -> {
        for (int i = 0; i < 8; i++) {
          tags.put("t" + i, "v");
        }
      }
      default -> {}
    }
    return point;
  }

  private static JsonNode number(long value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  Request telnet() {
    List<String> lines = new ArrayList<>();
    for (int i = 1 + draw.below(3); i > 0; i--) {
      lines.add(
          switch (draw.feature("telnet", draw.once(4) ? LINES : List.of("put"))) {
            case "version" -> "version";
            case "unknown-command" -> draw.one(List.of("nosuch", "pu", "puts a b"));
            case "empty" -> "";
            default -> line();
          });
    }
    return Request.of(
        "telnet", Request.TELNET, "", List.of(), String.join("\n", lines) + "\nexit\n");
  }

  private String line() {
    long time = 1_400_000_000L + draw.below(5);
    String metric = "beside.written";
    String timestamp = Long.toString(time);
    String value = Long.toString(time % 7);
    String tags = " host=web01";
    switch (draw.feature("telnet", draw.once(3) ? List.of("none") : FAULTS)) {
      case "no-metric" -> metric = "";
      case "empty-metric" -> {
        return "put";
      }
      case "bad-metric" -> metric = draw.one(List.of("a:b", "a=b", "\"m\""));
      case "no-timestamp" -> timestamp = "";
      case "bad-timestamp" ->
          timestamp = draw.one(List.of("0", "-1", "abc", "99999999999999", "12345678901234567890"));
      case "no-value" -> {
        return "put " + metric + " " + timestamp + tags;
      }
      case "bad-value" ->
          value = draw.one(List.of("x", "NaN", "Infinity", "1e400", "--1", "1.2.3"));
      case "no-tags" -> tags = "";
      case "empty-tags" -> tags = " ";
      case "bad-tag" ->
          tags = draw.one(List.of(" host", " =x", " host=", " a=b=c", " h:=x", " host=a host=b"));
      case "many-tags" -> tags = " a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1";
      default -> {}
    }
    return "put " + metric + " " + timestamp + " " + value + tags;
  }
}
