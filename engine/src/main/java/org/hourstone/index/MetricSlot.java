package org.hourstone.index;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's copy of one metric.
 *
 * <p>The copy has all series that were announced up to its version, a value of the metric's counter
 * in the table: the counter is read before the entries, and an entry is written before it is
 * announced. A series that this process announces is added to the copy directly if no other process
 * has announced any in between. So the copy is re-read only because of other processes' series.
 * Thread-safe.
 */
final class MetricSlot {
  private record Announced(long version, List<byte[]> tsuids) {}

  private final int metricWidth;
  private @Nullable MetricSeries series;
  private long version;
  private long generation;

  /** Series announced by this process while the table is read; null if it isn't being read. */
  private @Nullable List<Announced> duringLoad;

  /** Says that the metric doesn't fit in memory. */
  private boolean tooLarge;

  private final Object oneLoad = new Object();

  MetricSlot(int metricWidth) {
    this.metricWidth = metricWidth;
  }

  /**
   * The copy if it has all that was announced up to a version; reads the table if need be.
   *
   * @param generation of the table
   * @param counter reads the metric's counter
   * @param load reads the metric's series; null if they don't fit in memory
   * @return null if the metric doesn't fit in memory
   */
  @Nullable MetricSeries get(
      long atLeast, long generation, LongSupplier counter, Supplier<@Nullable MetricSeries> load) {
    MetricSeries held = held(atLeast, generation);
    if (held != null || isTooLarge()) {
      return held;
    }
    synchronized (oneLoad) {
      held = held(atLeast, generation);
      return held != null || isTooLarge() ? held : load(generation, counter, load);
    }
  }

  private synchronized @Nullable MetricSeries held(long atLeast, long ofGeneration) {
    MetricSeries held = series;
    if (held == null || generation != ofGeneration || version < atLeast) {
      return null;
    }
    if (held.isMessy()) {
      held = held.inOrder();
      series = held;
    }
    return held;
  }

  private synchronized boolean isTooLarge() {
    return tooLarge;
  }

  private @Nullable MetricSeries load(
      long ofGeneration, LongSupplier counter, Supplier<@Nullable MetricSeries> load) {
    synchronized (this) {
      duringLoad = new ArrayList<>();
    }
    try {
      long before = counter.getAsLong();
      MetricSeries fresh = load.get();
      synchronized (this) {
        series = fresh;
        version = before;
        generation = ofGeneration;
        tooLarge = fresh == null;
        for (Announced each : duringLoad == null ? List.<Announced>of() : duringLoad) {
          add(each);
        }
      }
      return fresh;
    } finally {
      synchronized (this) {
        duringLoad = null;
      }
    }
  }

  /**
   * Announces series whose entries are in the table.
   *
   * @param increment moves the metric's counter
   */
  synchronized void announce(List<byte[]> tsuids, LongSupplier increment) {
    Announced now = new Announced(increment.getAsLong(), tsuids);
    List<Announced> log = duringLoad;
    if (log != null) {
      log.add(now);
    }
    add(now);
  }

  private void add(Announced announced) {
    MetricSeries copy = series;
    if (copy != null && announced.version() == version + 1) {
      announced.tsuids().forEach(tsuid -> copy.add(tsuid, metricWidth, tsuid.length));
      version++;
    }
  }

  /** Whether the copy, current or not, has a series. */
  synchronized boolean has(byte[] tsuid) {
    return series != null && series.contains(tsuid);
  }

  /** About how much memory the copy takes. */
  synchronized long memory() {
    return series == null ? 0 : series.memory();
  }
}
