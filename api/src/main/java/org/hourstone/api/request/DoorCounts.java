package org.hourstone.api.request;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * What came through the protocols other than OpenTSDB's: points that were stored, and what was
 * skipped because there is no place for it. Thread-safe.
 */
public final class DoorCounts {
  private static final System.Logger LOG = System.getLogger("org.hourstone.refused");
  private static final long LOGGED_EVERY = TimeUnit.HOURS.toNanos(1);

  private final Map<Door, LongAdder> stored = new EnumMap<>(Door.class);
  private final Map<Skipped, LongAdder> skipped = new ConcurrentHashMap<>();

  /** When an example of each kind was logged, in the system's nanoseconds. */
  private final Map<Skipped, Long> logged = new ConcurrentHashMap<>();

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

  /**
   * As {@link #skipped(Door, String, long)}; one in an hour of each type is logged.
   *
   * @param example which of them it was, with its name
   */
  public void skipped(Door door, String type, long count, String example) {
    skipped(door, type, count);
    long now = System.nanoTime();
    boolean[] isFirst = {false};
    logged.compute(
        new Skipped(door, type),
        (what, before) -> {
          isFirst[0] = before == null || now - before >= LOGGED_EVERY;
          return isFirst[0] ? Long.valueOf(now) : before;
        });
    if (isFirst[0]) {
      LOG.log(
          Level.INFO,
          "skipped, as there is no place for it: {0}; all such are counted, by"
              + " hourstone_door_skipped_total with door={1} and type={2}",
          example,
          door.tag(),
          type);
    }
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
