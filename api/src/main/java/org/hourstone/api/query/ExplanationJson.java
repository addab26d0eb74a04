package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.hourstone.internal.Json;
import org.hourstone.kv.ScanCounts;
import org.hourstone.query.Explanation;
import org.hourstone.query.QueryLimits;

/** The explanations of queries as JSON; times are in milliseconds. */
final class ExplanationJson {
  private ExplanationJson() {}

  static ObjectNode of(Explanation explanation) {
    ObjectNode json = Json.object();
    json.put("query", explanation.query());
    ArrayNode parts = json.putArray("parts");
    explanation.parts().forEach(part -> parts.add(of(part)));
    json.put("threads", explanation.threads());
    json.set("limits", of(explanation.limits()));
    json.set("read", of(explanation.cost()));
    if (!explanation.values().isEmpty()) {
      ArrayNode values = json.putArray("values");
      explanation.values().forEach(value -> values.add(of(value)));
    }
    return json;
  }

  private static ObjectNode of(Explanation.Part part) {
    ObjectNode json = Json.object();
    json.put("source", part.source())
        .put("table", part.rows().table())
        .put("from", part.fromMillis())
        .put("to", part.toMillis())
        .put("rowsFrom", part.rows().fromSeconds() * 1000)
        .put("rowsTo", part.rows().toSeconds() * 1000)
        .put("saltBuckets", part.rows().saltBuckets());
    json.set("keyFilters", texts(part.filters().byKey()));
    json.set("nameFilters", texts(part.filters().byName()));
    if (part.series().known() >= 0) {
      json.put("series", part.series().known());
    }
    return json.put("scanned", part.series().known() < 0)
        .put("why", part.series().why())
        .put("downsampledAsRead", part.downsampledAsRead())
        .put("answered", part.answered());
  }

  private static ArrayNode texts(List<String> texts) {
    ArrayNode json = Json.array();
    texts.forEach(json::add);
    return json;
  }

  private static ObjectNode of(QueryLimits limits) {
    return Json.object()
        .put("points", limits.points())
        .put("bytes", limits.bytes())
        .put("series", limits.series())
        .put("millis", limits.millis())
        .put("memoryBytes", limits.memoryBytes())
        .put("totalMemoryBytes", limits.totalMemoryBytes())
        .put("regexSteps", limits.regexSteps());
  }

  private static ObjectNode of(Explanation.Cost cost) {
    ObjectNode json =
        Json.object()
            .put("rows", cost.rows())
            .put("bytes", cost.bytes())
            .put("points", cost.points())
            .put("series", cost.series());
    ScanCounts.Rows store = cost.store();
    if (store != null) {
      json.put("rowsScanned", store.scanned())
          .put("rowsShipped", store.shipped())
          .put("rowsReturned", store.returned());
    }
    return json;
  }

  private static ObjectNode of(Explanation.Value value) {
    ObjectNode json = Json.object().put("metric", value.metric());
    json.set("tags", Json.object(value.tags()));
    json.put("time", value.millis()).put("value", value.text());
    ArrayNode origins = json.putArray("origins");
    value.origins().forEach(origin -> origins.add(of(origin)));
    return json;
  }

  private static ObjectNode of(Explanation.Origin origin) {
    ObjectNode json =
        Json.object()
            .put("tsuid", origin.tsuid())
            .put("gives", origin.kind().name().toLowerCase(Locale.ROOT));
    ArrayNode points = json.putArray("points");
    origin
        .points()
        .forEach(point -> points.add(Json.array().add(point.millis()).add(point.text())));
    return json.put("more", origin.more());
  }
}
