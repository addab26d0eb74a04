package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;
import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.testing.reference.Features;

/** Requests for names, series, metadata and last points. */
record NameRequests(Draw draw, Written written) {
  private static final List<String> TYPES = List.of("metrics", "tagk", "tagv");
  private static final List<String> LAST =
      List.of("parameters", "body", "tsuids", "resolve", "back-scan", "some-tags");
  private static final List<String> LOOKUP =
      List.of("parameters", "body", "useMeta", "limit", "any");
  private static final List<String> UID =
      List.of(
          "assign",
          "assign-body",
          "rename",
          "uidmeta",
          "uidmeta-change",
          "tsmeta",
          "tsmeta-of-metric",
          "tsmeta-change");

  static void declare(Features features) {
    features.know("suggest", TYPES);
    features.know("suggest", List.of("body"));
    features.know("last", LAST);
    features.know("lookup", LOOKUP);
    features.know("uid", UID);
  }

  Request suggest() {
    String type = draw.feature("suggest", TYPES);
    String prefix =
        switch (type) {
          case "metrics" ->
              written.metric().substring(0, 1 + draw.below(written.metric().length()));
          case "tagk" -> draw.one(List.of("", "h", "d", "type", "x"));
          default -> draw.one(List.of("", "w", "web0", "W", "LGA", "0"));
        };
    int max = draw.one(List.of(1, 3, 25, 1000));
    if (draw.feature(3, "suggest", "body")) {
      ObjectNode body = object().put("type", type).put("q", prefix);
      if (draw.once(2)) {
        body.put("max", max);
      }
      return Request.of("suggest", "POST", "/api/suggest", List.of(), body.toString());
    }
    List<Request.Parameter> parameters = new ArrayList<>();
    parameters.add(parameter("type", type));
    if (!prefix.isEmpty()) {
      parameters.add(parameter("q", prefix));
    }
    if (draw.once(2)) {
      parameters.add(parameter("max", max));
    }
    return Request.get("suggest", "/api/suggest", parameters);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private Map<String, String> some(Map<String, String> tags) {
    Map<String, String> some = new TreeMap<>(tags);
    some.keySet().removeIf(tagk -> draw.once(3));
    return some;
  }

  Request last() {
    Map<String, String> tags = draw.one(written.series());
    if (draw.feature(3, "last", "some-tags")) {
      tags = some(tags);
    }
    String metric = draw.once(6) ? written.metric() : written.recent();
    boolean resolve = draw.feature(2, "last", "resolve");
    boolean backScan = draw.feature(2, "last", "back-scan");
    int hours = 1 + draw.below(5);
    boolean ids = draw.feature(4, "last", "tsuids");
    String tsuid = draw.one(written.tsuids());
    if (draw.feature("last", List.of("parameters", "body")).equals("body")) {
      ObjectNode body = object();
      ObjectNode query = body.putArray("queries").addObject();
      if (ids) {
        query.putArray("tsuids").add(tsuid);
      } else {
        ObjectNode of = query.put("metric", metric).putObject("tags");
        tags.forEach(of::put);
      }
      if (resolve) {
        body.put("resolveNames", true);
      }
      if (backScan) {
        body.put("backScan", hours);
      }
      return Request.of("last", "POST", "/api/query/last", List.of(), body.toString());
    }
    List<Request.Parameter> parameters = new ArrayList<>();
    parameters.add(
        ids
            ? parameter("tsuids", tsuid)
            : parameter("timeseries", metric + (tags.isEmpty() ? "" : Written.braces(tags))));
    if (resolve) {
      parameters.add(draw.once(2) ? flag("resolve") : parameter("resolve", true));
    }
    if (backScan) {
      parameters.add(parameter("back_scan", hours));
    }
    return Request.get("last", "/api/query/last", parameters);
  }

  Request lookup() {
    Map<String, String> tags = some(draw.one(written.series()));
    tags.replaceAll((tagk, tagv) -> draw.once(3) ? "*" : tagv);
    if (draw.feature(6, "lookup", "any")) {
      tags.put("*", draw.one(List.of("web01", "lga", "*")));
    }
    String metric = draw.once(6) ? written.other() : written.metric();
    boolean limited = draw.feature(3, "lookup", "limit");
    int limit = draw.one(List.of(1, 2, 3, 100));
    if (draw.feature("lookup", List.of("parameters", "body")).equals("body")) {
      ObjectNode body = object().put("metric", metric);
      ArrayNode pairs = body.putArray("tags");
      tags.forEach((tagk, tagv) -> pairs.addObject().put("key", tagk).put("value", tagv));
      if (limited) {
        body.put("limit", limit);
      }
      if (draw.feature(2, "lookup", "useMeta")) {
        body.put("useMeta", draw.once(2));
      }
      return Request.of("lookup", "POST", "/api/search/lookup", List.of(), body.toString());
    }
    List<Request.Parameter> parameters = new ArrayList<>();
    parameters.add(parameter("m", metric + (tags.isEmpty() ? "" : Written.braces(tags))));
    if (limited) {
      parameters.add(parameter("limit", limit));
    }
    return Request.get("lookup", "/api/search/lookup", parameters);
  }

  Request uid() {
    String form = draw.feature("uid", UID);
    String tsuid = draw.one(written.tsuids());
    Request.Parameter type = parameter("type", draw.one(List.of("metric", "tagk", "tagv")));
    boolean known = !draw.once(5);
    Request.Parameter uid = parameter("uid", known ? uid(type, tsuid) : "00FFFF");
    return switch (form) {
      case "assign" ->
          Request.get(
              "uid",
              "/api/uid/assign",
              parameter(draw.one(List.of("metric", "tagk", "tagv")), "host,a b"),
              parameter("metric", written.metric()));
      case "assign-body" ->
          Request.of(
              "uid",
              "POST",
              "/api/uid/assign",
              List.of(),
              draw.one(
                  List.of(
                      "{\"metric\":[\"" + written.metric() + "\",\"b c\"]}",
                      "{\"tagk\":[\"host\",\"dc\"],\"tagv\":[\"web01\"]}",
                      "{\"metric\":[]}",
                      "{\"nosuch\":[\"host\"]}",
                      "{}")));
      case "rename" -> {
        // It fails: the second side could not rename again what the first has renamed.
        String old = draw.once(2) ? written.metric() : "no.such.name";
        yield Request.get(
            "uid",
            "/api/uid/rename",
            parameter("metric", old),
            parameter("name", draw.one(List.of(written.other(), "a b"))));
      }
      case "uidmeta" -> Request.get("uid", "/api/uid/uidmeta", type, uid);
      case "uidmeta-change" -> {
        ObjectNode body =
            object().put("type", type.value().orElse("")).put("uid", uid.value().orElse(""));
        change(body);
        yield Request.of(
            "uid",
            draw.one(List.of("POST", "PUT")),
            "/api/uid/uidmeta",
            List.of(),
            body.toString());
      }
      case "tsmeta" ->
          Request.get("uid", "/api/uid/tsmeta", parameter("tsuid", known ? tsuid : "000001"));
      case "tsmeta-of-metric" ->
          Request.get(
              "uid",
              "/api/uid/tsmeta",
              parameter("m", written.metric() + Written.braces(some(draw.one(written.series())))));
      default -> {
        ObjectNode body = object().put("tsuid", tsuid);
        change(body);
        if (draw.once(2)) {
          body.put("units", "°C").put("retention", draw.below(9));
        }
        yield Request.of(
            "uid", draw.one(List.of("POST", "PUT")), "/api/uid/tsmeta", List.of(), body.toString());
      }
    };
  }

  private void change(ObjectNode body) {
    for (String field : List.of("description", "notes", "displayName")) {
      if (draw.once(2)) {
        body.put(field, draw.one(List.of("one", "two é", "")));
      }
    }
    if (draw.once(3)) {
      body.putObject("custom").put("k", Integer.toString(draw.below(9)));
    }
  }

  /** Of a part of a series: its metric, or its first tag. */
  private static String uid(Request.Parameter type, String tsuid) {
    return switch (type.value().orElse("")) {
      case "metric" -> tsuid.substring(0, 6);
      case "tagk" -> tsuid.substring(6, 12);
      default -> tsuid.substring(12, 18);
    };
  }
}
