package org.hourstone.index;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.hourstone.codec.Schema;
import org.jspecify.annotations.Nullable;

/**
 * This process's copy of one metric.
 *
 * <p>The copy contains all series that were announced up to its version, which is a value of the
 * metric's counter in the table: the counter is read before the entries, and an entry is written
 * before it is announced. To bring the copy up to date, the later announcements of this process and
 * others are added; all entries are read again only if there are too many announcements.
 * Thread-safe; one thread at a time reads the table, without holding the monitor.
 */
final class MetricSlot {
  /** The maximum number of announcements by which the copy is brought up to date. */
  private static final int MOST_BEHIND = IndexTable.KEPT / 2;

  private final IndexTable table;
  private final byte[] metric;
  private final Schema schema;
  private final long mostBytes;

  /** Held to replace the copy, and to bring it up to date. */
  private final ReentrantLock reading = new ReentrantLock();

  private @Nullable MetricSeries series;
  private long version;
  private long generation;

  /** Whether the metric was found not to fit in memory. */
  private boolean tooLarge;

  /**
   * @param mostBytes the size of a copy that is too large
   */
  MetricSlot(IndexTable table, byte[] metric, Schema schema, long mostBytes) {
    this.table = table;
    this.metric = metric.clone();
    this.schema = schema;
    this.mostBytes = mostBytes;
  }

  /**
   * The copy, with all series announced up to a version; reads the table if necessary.
   *
   * @param ofGeneration the generation of the table
   * @return null if the metric doesn't fit in memory
   */
  @Nullable MetricSeries get(long atLeast, long ofGeneration) {
    MetricSeries held = held(atLeast, ofGeneration);
    if (held != null || isTooLarge()) {
      return held == null ? null : inOrder(held);
    }
    reading.lock();
    try {
      held = held(atLeast, ofGeneration);
      if (held == null) {
        held = followed(atLeast, ofGeneration);
      }
      return held != null || isTooLarge() ? held : load(ofGeneration);
    } finally {
      reading.unlock();
    }
  }

  private synchronized @Nullable MetricSeries held(long atLeast, long ofGeneration) {
    return generation == ofGeneration && version >= atLeast ? series : null;
  }

  private synchronized boolean isTooLarge() {
    return tooLarge;
  }

  /**
   * The copy with the later announcements added; null if there is no copy, or there are too many
   * announcements.
   */
  private @Nullable MetricSeries followed(long upTo, long ofGeneration) {
    MetricSeries copy;
    long from;
    synchronized (this) {
      copy = series;
      from = version;
      if (copy == null || generation != ofGeneration || upTo - from > MOST_BEHIND) {
        return null;
      }
    }
    List<Announcement> announced = table.announcements(metric, from, upTo);
    if (announced == null) {
      return null;
    }
    for (Announcement each : announced) {
      each.tags().forEach(tags -> copy.add(tags, 0, tags.length));
    }
    synchronized (this) {
      version = Math.max(version, upTo);
    }
    return copy;
  }

  private @Nullable MetricSeries load(long ofGeneration) {
    long before = table.counter(metric);
    MetricSeries fresh = table.load(metric, schema, mostBytes);
    synchronized (this) {
      series = fresh;
      version = before;
      generation = ofGeneration;
      tooLarge = fresh == null;
    }
    return fresh;
  }

  /** The copy, sorted again if that is worthwhile and no other thread is sorting it. */
  private MetricSeries inOrder(MetricSeries held) {
    if (!held.isMessy() || !reading.tryLock()) {
      return held;
    }
    try {
      MetricSeries sorted = held.inOrder();
      synchronized (this) {
        if (series != held) {
          return held;
        }
        held.addRestTo(sorted);
        series = sorted;
        return sorted;
      }
    } finally {
      reading.unlock();
    }
  }

  /**
   * Called after this process has announced series.
   *
   * @param number the value of the metric's counter after the announcement
   * @return the copy, if there is one
   */
  synchronized @Nullable MetricSeries announced(long number, List<byte[]> tsuids) {
    MetricSeries copy = series;
    if (copy != null && number == version + 1) {
      tsuids.forEach(tsuid -> copy.add(tsuid, schema.metricWidth(), tsuid.length));
      version = number;
    }
    return copy;
  }

  /** Whether the copy contains a series; it need not be current. */
  synchronized boolean has(byte[] tsuid) {
    return series != null && series.contains(tsuid);
  }
}
