package org.hourstone.api.query;

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
public final class QueryEcho {
  private QueryEcho() {}

  /**
   * @param index the query's index in the request
   */
  public static ObjectNode of(QueryDraft query, int index, Tsdb db) {
    ObjectNode json = Json.object();
    QueryDraft.Series series = query.series();
    QueryDraft.Values values = query.values();
    boolean byTsuid = !series.tsuids().isEmpty();
    json.put("aggregator", query.aggregator())
        .put("metric", series.metric().isEmpty() ? null : series.metric());
    json.set("tsuids", byTsuid ? texts(series.tsuids()) : Json.nothing());
    json.put("downsample", query.downsample()).put("rate", query.rate().isRequested());
    ArrayNode filters = json.putArray("filters");
    series.filters().forEach(filter -> filters.add(of(filter)));
    json.set(
        "percentiles",
        values.percentiles() == null ? Json.nothing() : numbers(values.percentiles()));
    json.put("index", index);
    RateOptions rate = query.rate().options();
    json.set("rateOptions", rate == null ? Json.nothing() : of(rate));
    json.set(
        "filterTagKs", series.filters().isEmpty() ? Json.nothing() : tagks(series.filters(), db));
    RollupUsage usage = values.rollupUsage();
    json.put("explicitTags", series.explicitTags())
        .put("useFuzzyFilter", query.hints().useFuzzyFilter())
        .put("preAggregate", values.preAggregate())
        .put("rollupUsage", usage == null ? null : usage.requestName().toUpperCase(Locale.ROOT))
        .put("rollupTable", values.preAggregate() ? "groupby" : "raw")
        .put("showHistogramBuckets", values.histogramBuckets())
        .put("useMultiGets", query.hints().useMultiGets());
    json.set("tags", Json.object(tags(series.filters())));
    return json.put("histogramQuery", values.isOfHistograms());
  }

  /** A filter in JSON. */
  public static ObjectNode of(TagFilter filter) {
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

  private static ArrayNode numbers(List<Double> numbers) {
    ArrayNode array = Json.array();
    numbers.forEach(array::add);
    return array;
  }

  /** The UIDs of the filtered tags, each once, in base 64. */
  private static ArrayNode tagks(List<TagFilter> filters, Tsdb db) {
    TreeSet<Bytes> uids = new TreeSet<>();
    filters.forEach(filter -> uids.add(new Bytes(db.uids().uid(UidKind.TAGK, filter.tagk()))));
    ArrayNode array = Json.array();
    uids.forEach(uid -> array.add(Base64.getEncoder().encodeToString(uid.array())));
    return array;
  }

  /** The tags to group by, in the form of older versions. */
  private static Map<String, String> tags(List<TagFilter> filters) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (TagFilter filter : filters) {
      if (filter.groupBy()) {
        tags.put(filter.tagk(), filter.expression());
      }
    }
    return tags;
  }
}
