package org.hourstone.mirror;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.request.ServerInfo.Statistic;

/** What became of the points of a mirror. Thread-safe. */
final class MirrorCounts {
  /** Why a point that is stored here is not sent. */
  enum Skipped {
    /** The queue has its maximum size. */
    QUEUE_FULL,
    /** The queue could not be written. */
    QUEUE_FAILED,
    /** Its series has a longer name than a record. */
    TOO_LONG,
    /** Its series has no name any more. */
    UNKNOWN_SERIES,
    /** A histogram or a value that was rolled up. */
    OTHER_CELL
  }

  /** Why the other server has refused a point. The first three have OpenTSDB's names. */
  enum Refused {
    ILLEGAL_ARGUMENTS,
    INVALID_VALUES,
    UNKNOWN_METRICS,
    /** The response names no point, and the request had only this one. */
    REQUEST,
    /** Requests with it fail, while those with other points do not. */
    FAILING
  }

  private final LongAdder queued = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder corrupt = new LongAdder();
  private final Map<Skipped, LongAdder> skipped = new EnumMap<>(Skipped.class);
  private final Map<Refused, LongAdder> refused = new EnumMap<>(Refused.class);

  MirrorCounts() {
    for (Skipped each : Skipped.values()) {
      skipped.put(each, new LongAdder());
    }
    for (Refused each : Refused.values()) {
      refused.put(each, new LongAdder());
    }
  }

  void queued(long points) {
    queued.add(points);
  }

  void sent(long points) {
    sent.add(points);
  }

  /** A request has failed, and is repeated. */
  void failed() {
    failures.increment();
  }

  /** A record of the queue can't be read. */
  void corrupt() {
    corrupt.increment();
  }

  void skipped(Skipped why, long points) {
    of(skipped, why).add(points);
  }

  void refused(Refused why, long points) {
    of(refused, why).add(points);
  }

  private static <K> LongAdder of(Map<K, LongAdder> counts, K key) {
    LongAdder count = counts.get(key);
    if (count == null) {
      throw new IllegalArgumentException(String.valueOf(key));
    }
    return count;
  }

  List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    all.add(new Statistic("mirror.points", queued.sum(), Map.of("type", "queued")));
    all.add(new Statistic("mirror.points", sent.sum(), Map.of("type", "sent")));
    all.add(new Statistic("mirror.failures", failures.sum(), Map.of()));
    all.add(new Statistic("mirror.queue.corrupt", corrupt.sum(), Map.of()));
    skipped.forEach((why, count) -> all.add(of("mirror.skipped", why, count)));
    refused.forEach((why, count) -> all.add(of("mirror.refused", why, count)));
    return all;
  }

  private static Statistic of(String metric, Enum<?> why, LongAdder count) {
    return new Statistic(metric, count.sum(), Map.of("type", why.name().toLowerCase(Locale.ROOT)));
  }
}
