package org.hourstone.api.request;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * What came through the protocols other than OpenTSDB's: points that were stored, and what was
 * skipped because there is no place for it. Thread-safe.
 */
public final class DoorCounts {
  private final Map<Door, LongAdder> stored = new EnumMap<>(Door.class);
  private final Map<Skipped, LongAdder> skipped = new ConcurrentHashMap<>();

  /** A protocol. */
  public enum Door {
    /** InfluxDB's line protocol. */
    INFLUX,
    /** OpenTelemetry's OTLP. */
    OTLP,
    /** Prometheus' remote write, and its text. */
    PROMETHEUS;

    /** The value of the tag {@code door}. */
    String tag() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Skipped(Door door, String type) {}

  /** None so far. */
  public DoorCounts() {
    for (Door door : Door.values()) {
      stored.put(door, new LongAdder());
    }
  }

  /** Points were stored. */
  public void stored(Door door, long points) {
    LongAdder count = stored.get(door);
    if (count != null) {
      count.add(points);
    }
  }

  /**
   * Something was skipped.
   *
   * @param type one of few, in words with underscores, such as {@code stale_marker}
   */
  public void skipped(Door door, String type, long count) {
    skipped.computeIfAbsent(new Skipped(door, type), key -> new LongAdder()).add(count);
  }

  /** The counts. */
  public List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    stored.forEach(
        (door, count) ->
            all.add(new Statistic("door.points", count.sum(), Map.of("door", door.tag()))));
    skipped.forEach(
        (what, count) ->
            all.add(
                new Statistic(
                    "door.skipped",
                    count.sum(),
                    Map.of("door", what.door.tag(), "type", what.type))));
    return all;
  }
}
