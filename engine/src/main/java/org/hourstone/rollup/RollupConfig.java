package org.hourstone.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;

/**
 * The intervals to which values are rolled up, and the ids of the aggregations. Immutable. See
 * {@code docs/format/rollup.md#settings}.
 */
public final class RollupConfig {
  private final Map<String, Integer> ids;
  private final Map<String, RollupInterval> intervals;

  private RollupConfig(Map<String, Integer> ids, Map<String, RollupInterval> intervals) {
    this.ids = ids;
    this.intervals = intervals;
  }

  /**
   * Parses a setting.
   *
   * @param setting JSON, or the path of a JSON file that ends in {@code .json}
   * @throws IllegalArgumentException if it is malformed; the message says why
   */
  public static RollupConfig of(String setting) {
    JsonNode json = Json.readTextOrFile(setting);
    Map<String, Integer> ids = ids(json.path("aggregationIds"));
    Map<String, RollupInterval> intervals = new LinkedHashMap<>();
    int defaults = 0;
    for (JsonNode each : json.path("intervals")) {
      RollupInterval interval = interval(each);
      defaults += interval.isDefault() ? 1 : 0;
      if (intervals.put(interval.name(), interval) != null) {
        throw new IllegalArgumentException("two rollup intervals are " + interval.name());
      }
    }
    if (defaults != 1) {
      throw new IllegalArgumentException(
          defaults + " rollup intervals are the default: exactly one must be");
    }
    return new RollupConfig(ids, intervals);
  }

  private static Map<String, Integer> ids(JsonNode json) {
    if (json.isEmpty()) {
      throw new IllegalArgumentException("no aggregationIds");
    }
    Map<String, Integer> ids = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      JsonNode number = entry.getValue();
      int id = number.canConvertToInt() ? number.asInt() : -1;
      if (id < 0 || id > RollupQualifier.MAX_ID) {
        throw new IllegalArgumentException(
            "the aggregation " + entry.getKey() + " has the id " + number + ": not in 0..127");
      }
      if (!taken.add(id)) {
        throw new IllegalArgumentException("two aggregations have the id " + id);
      }
      if (ids.put(entry.getKey().toLowerCase(Locale.ROOT), id) != null) {
        throw new IllegalArgumentException("two ids for the aggregation " + entry.getKey());
      }
    }
    return ids;
  }

  private static RollupInterval interval(JsonNode json) {
    String name = json.path("interval").asText("");
    return new RollupInterval(
        name,
        RollupInterval.seconds(name),
        RowSpan.parse(json.path("rowSpan").asText("")),
        json.path("table").asText(""),
        json.path("preAggregationTable").asText(""),
        json.path("defaultInterval").asBoolean(false),
        delaySla(json.path("delaySla")));
  }

  private static long delaySla(JsonNode json) {
    String text = json.asText("");
    return text.isEmpty() || text.equals("null") ? 0 : RollupInterval.seconds(text);
  }

  /**
   * The interval with this name.
   *
   * @throws NoSuchRollupException if it is not configured
   */
  public RollupInterval interval(String name) {
    RollupInterval interval = intervals.get(name);
    if (interval == null) {
      throw new NoSuchRollupException(name);
    }
    return interval;
  }

  /** All intervals, in the order of the setting. */
  public Collection<RollupInterval> intervals() {
    return List.copyOf(intervals.values());
  }

  /** The resolution of raw points. */
  public RollupInterval defaultInterval() {
    return intervals.values().stream().filter(RollupInterval::isDefault).findFirst().orElseThrow();
  }

  /**
   * The id of an aggregation.
   *
   * @param aggregator its name, case-insensitive
   * @throws RequestException if it has none
   */
  public int idOf(String aggregator) {
    Integer id = ids.get(aggregator.toLowerCase(Locale.ROOT));
    if (id == null) {
      throw new RequestException("No ID found mapping to aggregator: " + aggregator);
    }
    return id;
  }

  /** Whether an aggregation has an id; its name is case-insensitive. */
  public boolean has(String aggregator) {
    return ids.containsKey(aggregator.toLowerCase(Locale.ROOT));
  }

  /**
   * The intervals whose length divides a duration, so that their values can be merged over it,
   * longest first.
   */
  public List<RollupInterval> dividing(long millis) {
    return intervals.values().stream()
        .filter(interval -> millis > 0 && millis % (interval.seconds() * 1000) == 0)
        .sorted(Comparator.<RollupInterval>comparingLong(RollupInterval::seconds).reversed())
        .toList();
  }

  /** The names of all tables, each once. */
  public List<String> tables() {
    Set<String> tables = new LinkedHashSet<>();
    for (RollupInterval interval : intervals.values()) {
      tables.add(interval.table());
      tables.add(interval.preAggregationTable());
    }
    return new ArrayList<>(tables);
  }
}
