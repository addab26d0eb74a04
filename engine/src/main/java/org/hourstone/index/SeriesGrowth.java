package org.hourstone.index;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Bytes;

/**
 * Which metrics had new series within the last hour, in twelve parts of five minutes. In each part
 * at most {@link #METRICS} metrics are counted: when they are more, one is subtracted from each, so
 * that a count is too small by at most one part in {@link #METRICS} of all new series. Thread-safe.
 */
final class SeriesGrowth {
  static final int METRICS = 1000;
  private static final int PARTS = 12;
  private static final long PART_MILLIS = 300_000;

  private final InstantSource clock;
  private final Deque<Part> parts = new ArrayDeque<>();

  private record Part(long number, Map<Bytes, Long> series) {}

  SeriesGrowth(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void add(byte[] metric) {
    long now = dropOld();
    Part last = parts.peekLast();
    if (last == null || last.number() != now) {
      last = new Part(now, new HashMap<>());
      parts.add(last);
    }
    Bytes key = new Bytes(metric);
    if (last.series().size() >= METRICS && !last.series().containsKey(key)) {
      last.series().values().removeIf(series -> series == 1);
      last.series().replaceAll((any, series) -> series - 1);
    } else {
      last.series().merge(key, 1L, Long::sum);
    }
  }

  /** The metrics with most new series, those with more first. */
  synchronized List<MetricGrowth> top(int most) {
    dropOld();
    Map<Bytes, Long> sums = new HashMap<>();
    parts.forEach(
        part -> part.series().forEach((metric, series) -> sums.merge(metric, series, Long::sum)));
    return sums.entrySet().stream()
        .sorted(
            Map.Entry.<Bytes, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(each -> new MetricGrowth(each.getKey().array(), each.getValue()))
        .toList();
  }

  /** Returns the number of the current part. */
  private long dropOld() {
    long now = clock.millis() / PART_MILLIS;
    parts.removeIf(part -> part.number() <= now - PARTS || part.number() > now);
    return now;
  }
}
