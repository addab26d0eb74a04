package org.hourstone.api.name;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.index.MetricCardinality;
import org.hourstone.index.TagCardinality;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.query.RequestBudget;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;

/**
 * {@code /api/cardinality}, which OpenTSDB doesn't have: how many series there are of each metric,
 * of a metric by its tag names, and by the values of one; those with the most series first.
 */
public final class CardinalityEndpoint implements Endpoint {
  private static final int DEFAULT_MAX = 25;
  private static final int MOST = 10_000;
  private static final String UNUSABLE =
      "the series index can't be used: it is off, not complete, or the metric doesn't fit in"
          + " hourstone.index.memory_bytes";

  private static final Comparator<Counted> FEWEST_FIRST =
      Comparator.comparingLong(Counted::series)
          .thenComparing(Counted::name, Comparator.reverseOrder());

  private final Tsdb db;

  public CardinalityEndpoint(Tsdb db) {
    this.db = db;
  }

  private record Counted(String name, long series) {}

  @Override
  public ApiResponse respond(ApiCall call) {
    int max = max(call);
    String metric = call.parameter("metric").orElse("");
    String tagk = call.parameter("tagk").orElse("");
    return BudgetedResponse.of(
        db,
        call,
        () -> ("cardinality " + metric + " " + tagk).strip(),
        budget -> {
          if (metric.isEmpty()) {
            return ApiResponse.ok(ofMetrics(call.parameter("q").orElse(""), max, budget));
          }
          return ApiResponse.ok(tagk.isEmpty() ? ofTags(metric) : ofValues(metric, tagk, max));
        });
  }

  private static int max(ApiCall call) {
    try {
      int max = call.parameter("max").map(Integer::parseInt).orElse(DEFAULT_MAX);
      if (max < 1) {
        throw new ApiException(ApiException.BAD_REQUEST, "max: is less than 1: " + max);
      }
      return Math.min(MOST, max);
    } catch (NumberFormatException e) {
      throw new ApiException(ApiException.BAD_REQUEST, "Unable to parse 'max' as a number");
    }
  }

  /** Reads the whole index. */
  private ObjectNode ofMetrics(String prefix, int max, RequestBudget budget) {
    if (!db.index().isOn()) {
      throw new ApiException(ApiException.BAD_REQUEST, UNUSABLE);
    }
    PriorityQueue<Counted> most = new PriorityQueue<>(FEWEST_FIRST);
    long[] totals = new long[2];
    db.index()
        .forEachMetric(
            (uid, series) -> {
              budget.check();
              String name = name(UidKind.METRIC, uid);
              if (!name.startsWith(prefix)) {
                return;
              }
              totals[0]++;
              totals[1] += series;
              most.add(new Counted(name, series));
              if (most.size() > max) {
                most.remove();
              }
            });
    ObjectNode json = Json.object().put("metrics", totals[0]).put("series", totals[1]);
    ArrayNode results = json.putArray("results");
    most.stream()
        .sorted(FEWEST_FIRST.reversed())
        .forEach(
            each -> results.addObject().put("metric", each.name()).put("series", each.series()));
    return json;
  }

  private ObjectNode ofTags(String metric) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    MetricCardinality counted = counted(db.index().cardinality(uid, 0));
    ObjectNode json = Json.object().put("metric", metric).put("series", counted.series());
    Map<String, TagCardinality> byName = new TreeMap<>();
    counted.tags().forEach(tag -> byName.put(name(UidKind.TAGK, tag.tagk()), tag));
    ArrayNode tags = json.putArray("tags");
    byName.forEach(
        (tagk, tag) ->
            tags.addObject()
                .put("tagk", tagk)
                .put("series", tag.series())
                .put("values", tag.values()));
    return json;
  }

  private ObjectNode ofValues(String metric, String tagk, int max) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    byte[] key = db.uids().uid(UidKind.TAGK, tagk);
    TagCardinality counted = counted(db.index().cardinality(uid, key, max));
    ObjectNode json =
        Json.object()
            .put("metric", metric)
            .put("tagk", tagk)
            .put("series", counted.series())
            .put("values", counted.values());
    ArrayNode results = json.putArray("results");
    for (TagCardinality.ValueCount value : counted.top()) {
      results
          .addObject()
          .put("tagv", name(UidKind.TAGV, value.tagv()))
          .put("series", value.series());
    }
    return json;
  }

  private static <T> T counted(Optional<T> response) {
    return response.orElseThrow(() -> new ApiException(ApiException.BAD_REQUEST, UNUSABLE));
  }

  /** A deleted name is shown as its UID. */
  private String name(UidKind kind, byte[] uid) {
    try {
      return db.uids().name(kind, uid);
    } catch (NoSuchUidException e) {
      return "?" + UidText.format(uid);
    }
  }
}
