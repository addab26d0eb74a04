package org.hourstone.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.hourstone.Tsdb;
import org.hourstone.internal.Json;
import org.hourstone.kv.Bytes;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.TagFilter;
import org.hourstone.series.RateOptions;
import org.hourstone.uid.UidKind;

/** The query as repeated in its response, with the same fields as in OpenTSDB. */
final class QueryEcho {
  private QueryEcho() {}

  /**
   * @param index the query's index in the request
   */
  static ObjectNode of(QueryDraft query, int index, Tsdb db) {
    ObjectNode json = Json.object();
    boolean byTsuid = !query.tsuids().isEmpty();
    json.put("aggregator", query.aggregator())
        .put("metric", query.metric().isEmpty() ? null : query.metric());
    json.set("tsuids", byTsuid ? texts(query.tsuids()) : Json.nothing());
    json.put("downsample", query.downsample()).put("rate", query.rate());
    ArrayNode filters = json.putArray("filters");
    query.filters().forEach(filter -> filters.add(of(filter)));
    json.set("percentiles", query.percentiles() == null ? Json.nothing() : numbers(query));
    json.put("index", index);
    json.set("rateOptions", query.rateOptions() == null ? Json.nothing() : of(query.rateOptions()));
    json.set("filterTagKs", query.filters().isEmpty() ? Json.nothing() : tagks(query, db));
    RollupUsage usage = query.rollupUsage();
    json.put("explicitTags", query.explicitTags())
        .put("useFuzzyFilter", query.useFuzzyFilter())
        .put("preAggregate", query.preAggregate())
        .put("rollupUsage", usage == null ? null : usage.requestName().toUpperCase(Locale.ROOT))
        .put("rollupTable", query.preAggregate() ? "groupby" : "raw")
        .put("showHistogramBuckets", query.histogramBuckets())
        .put("useMultiGets", query.useMultiGets());
    json.set("tags", Json.object(tags(query)));
    return json.put("histogramQuery", query.isOfHistograms());
  }

  /** A filter in JSON. */
  static ObjectNode of(TagFilter filter) {
    return Json.object()
        .put("tagk", filter.tagk())
        .put("filter", filter.text())
        .put("group_by", filter.groupBy())
        .put("type", filter.type().requestName());
  }

  private static ObjectNode of(RateOptions options) {
    return Json.object()
        .put("counter", options.counter())
        .put("counterMax", options.counterMax())
        .put("resetValue", options.resetValue())
        .put("dropResets", options.dropResets());
  }

  private static ArrayNode texts(List<String> texts) {
    ArrayNode array = Json.array();
    texts.forEach(array::add);
    return array;
  }

  private static ArrayNode numbers(QueryDraft query) {
    ArrayNode array = Json.array();
    if (query.percentiles() != null) {
      query.percentiles().forEach(array::add);
    }
    return array;
  }

  /** The UIDs of the filtered tags, each once, in base 64. */
  private static ArrayNode tagks(QueryDraft query, Tsdb db) {
    TreeSet<Bytes> uids = new TreeSet<>();
    query
        .filters()
        .forEach(filter -> uids.add(new Bytes(db.uids().uid(UidKind.TAGK, filter.tagk()))));
    ArrayNode array = Json.array();
    uids.forEach(uid -> array.add(Base64.getEncoder().encodeToString(uid.array())));
    return array;
  }

  /** The tags to group by, in the form of older versions. */
  private static Map<String, String> tags(QueryDraft query) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (TagFilter filter : query.filters()) {
      if (filter.groupBy()) {
        tags.put(filter.tagk(), filter.expression());
      }
    }
    return tags;
  }
}
