package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A query in OpenTSDB's log of queries: the request with all defaults filled in, and with fields
 * that no request has.
 */
final class LoggedQuery {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> OF_REQUESTS =
      List.of(
          "start",
          "end",
          "timezone",
          "useCalendar",
          "msResolution",
          "noAnnotations",
          "globalAnnotations");

  private static final List<String> OF_QUERIES =
      List.of(
          "aggregator",
          "metric",
          "tsuids",
          "downsample",
          "rate",
          "explicitTags",
          "percentiles",
          "showHistogramBuckets",
          "preAggregate",
          "rollupUsage");

  private LoggedQuery() {}

  static SafeRequest request(JsonNode logged, RequestTimes times) {
    JsonNode query = logged.path("query");
    if (query.path("queries").isEmpty()) {
      throw new UnusableRequestException("a logged query without queries");
    }
    SafeRequest.refuseDelete(query);
    ObjectNode body = JSON.createObjectNode();
    copy(query, body, OF_REQUESTS);
    ArrayNode queries = body.putArray("queries");
    query.path("queries").forEach(each -> queries.add(query(each)));
    return SafeRequest.query(body, times);
  }

  private static ObjectNode query(JsonNode logged) {
    ObjectNode query = JSON.createObjectNode();
    copy(logged, query, OF_QUERIES);
    if (logged.path("rate").asBoolean() && logged.path("rateOptions").isObject()) {
      query.set("rateOptions", logged.get("rateOptions"));
    }
    ArrayNode filters = JSON.createArrayNode();
    for (JsonNode each : logged.path("filters")) {
      JsonNode groups = each.has("group_by") ? each.get("group_by") : each.path("groupBy");
      filters
          .addObject()
          .put("type", each.path("type").asText())
          .put("tagk", each.path("tagk").asText())
          .put("filter", each.path("filter").asText())
          .put("groupBy", groups.asBoolean());
    }
    if (!filters.isEmpty()) {
      query.set("filters", filters);
    }
    return query;
  }

  private static void copy(JsonNode from, ObjectNode to, List<String> fields) {
    for (String field : fields) {
      JsonNode value = from.path(field);
      boolean isDefault =
          value.isMissingNode()
              || value.isNull()
              || (value.isArray() && value.isEmpty())
              || value.equals(JSON.getNodeFactory().booleanNode(false));
      if (!isDefault) {
        to.set(field, value);
      }
    }
  }
}
