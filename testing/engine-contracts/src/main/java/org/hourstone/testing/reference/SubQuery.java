package org.hourstone.testing.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of a request's queries.
 *
 * @param downsampling null if points are taken as they are
 * @param rates null if values are taken as they are
 */
record SubQuery(
    String metric,
    String aggregator,
    @Nullable Downsampling downsampling,
    @Nullable Rates rates,
    List<Filter> filters,
    boolean explicitTags) {

  static SubQuery of(JsonNode json, boolean useCalendar, ZoneId zone, Mode mode) {
    return new SubQuery(
        json.required("metric").asText(),
        json.required("aggregator").asText(),
        json.path("downsample").asText().isEmpty()
            ? null
            : Downsampling.parse(json.get("downsample").asText(), useCalendar, zone, mode),
        json.path("rate").asBoolean() ? rates(json.path("rateOptions")) : null,
        filters(json),
        json.path("explicitTags").asBoolean());
  }

  private static Rates rates(JsonNode options) {
    return new Rates(
        options.path("counter").asBoolean(),
        options.path("counterMax").asLong(Long.MAX_VALUE),
        options.path("resetValue").asLong(),
        options.path("dropResets").asBoolean());
  }

  /** Of the two forms of filters the later one counts. */
  private static List<Filter> filters(JsonNode json) {
    List<Filter> filters = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      if (field.getKey().equals("tags")) {
        filters.clear();
        for (Map.Entry<String, JsonNode> tag : field.getValue().properties()) {
          filters.add(Filter.parse(tag.getKey(), tag.getValue().asText()));
        }
      } else if (field.getKey().equals("filters")) {
        filters.clear();
        for (JsonNode filter : field.getValue()) {
          filters.add(
              new Filter(
                  filter.required("tagk").asText(),
                  filter.required("type").asText(),
                  filter.required("filter").asText(),
                  filter.path("groupBy").asBoolean()));
        }
      }
    }
    return filters;
  }
}
