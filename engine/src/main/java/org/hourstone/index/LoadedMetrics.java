package org.hourstone.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The metrics held in bounded memory: the least recently used are dropped first, and a metric that
 * alone exceeds the memory is not loaded. Thread-safe.
 */
final class LoadedMetrics {
  /** The memory of a metric's objects that does not depend on the number of its series. */
  private static final int OVERHEAD = 1536;

  private final IndexTable table;
  private final Schema schema;
  private final long mostBytes;

  /** In access order: the most recently used is last. */
  private final Map<Bytes, Held> slots = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;
  private long evicted;

  /** A slot and its accounted size, that of {@link #OVERHEAD} as long as it has no copy. */
  private static final class Held {
    final MetricSlot slot;
    long bytes = OVERHEAD;

    /** The number of series in the copy that was weighed; negative if none was. */
    int series = -1;

    /** The part of these bytes that the tests cached by the copy use. */
    long tests;

    Held(MetricSlot slot) {
      this.slot = slot;
    }
  }

  LoadedMetrics(IndexTable table, Schema schema, long mostBytes) {
    this.table = table;
    this.schema = schema;
    this.mostBytes = mostBytes;
  }

  /** As {@link MetricSlot#get}. */
  @Nullable MetricSeries get(byte[] metric, long atLeast, long generation) {
    Bytes key = new Bytes(metric.clone());
    Held held;
    synchronized (this) {
      held = slots.get(key);
      if (held == null) {
        held = new Held(new MetricSlot(table, metric, schema, mostBytes));
        slots.put(key, held);
        bytes += held.bytes;
        dropOldest();
      }
    }
    MetricSeries series = held.slot.get(atLeast, generation);
    if (series == null) {
      unload(key, held);
    } else {
      weigh(key, held, series);
    }
    return series;
  }

  /** A slot has no copy now, since its metric doesn't fit in memory. */
  private synchronized void unload(Bytes key, Held held) {
    if (slots.get(key) == held) {
      bytes += OVERHEAD - held.bytes;
      held.bytes = OVERHEAD;
      held.series = -1;
      held.tests = 0;
    }
  }

  /** As {@link MetricSlot#announced}, for a metric that may not be loaded. */
  void announced(byte[] metric, long number, List<byte[]> tsuids) {
    Bytes key = new Bytes(metric);
    Held held;
    synchronized (this) {
      held = slots.get(key);
    }
    MetricSeries grown = held == null ? null : held.slot.announced(number, tsuids);
    if (held != null && grown != null) {
      weigh(key, held, grown);
    }
  }

  /** Accounts for the growth of a slot, and drops others if the total is too large. */
  private void weigh(Bytes key, Held held, MetricSeries series) {
    int size = series.size();
    synchronized (this) {
      if (slots.get(key) != held || (held.series >= 0 && size <= held.series + held.series / 8)) {
        return;
      }
    }
    long now = OVERHEAD + series.memory();
    synchronized (this) {
      if (slots.get(key) != held) {
        return;
      }
      bytes += now + held.tests - held.bytes;
      held.bytes = now + held.tests;
      held.series = size;
      dropOldest();
    }
  }

  /** Accounts for the tests that a copy has cached in a request. */
  void asked(byte[] metric, MetricSeries series) {
    long tests = series.testMemory();
    synchronized (this) {
      Held held = slots.get(new Bytes(metric));
      if (held != null && held.series >= 0 && held.tests != tests) {
        bytes += tests - held.tests;
        held.bytes += tests - held.tests;
        held.tests = tests;
        dropOldest();
      }
    }
  }

  /** Called while holding the monitor. */
  private void dropOldest() {
    if (bytes <= mostBytes) {
      return;
    }
    List<Bytes> oldest = new ArrayList<>(slots.keySet());
    for (Bytes each : oldest) {
      if (bytes <= mostBytes) {
        break;
      }
      Held gone = slots.remove(each);
      bytes -= gone == null ? 0 : gone.bytes;
      evicted++;
    }
  }

  /** Whether the copy of its metric contains a series; the copy need not be current. */
  boolean has(byte[] metric, byte[] tsuid) {
    Held held;
    synchronized (this) {
      held = slots.get(new Bytes(metric));
    }
    return held != null && held.slot.has(tsuid);
  }

  /** Drops the copy of a metric. */
  synchronized void drop(byte[] metric) {
    Held gone = slots.remove(new Bytes(metric));
    bytes -= gone == null ? 0 : gone.bytes;
  }

  synchronized void clear() {
    slots.clear();
    bytes = 0;
  }

  /** The approximate memory of all metrics. */
  synchronized long memory() {
    return bytes;
  }

  synchronized int size() {
    return slots.size();
  }

  /**
   * How it is used.
   *
   * @param answered as of the index
   * @param unanswered as of the index
   */
  synchronized IndexUse use(long answered, long unanswered) {
    return new IndexUse(slots.size(), bytes, mostBytes, answered, unanswered, evicted);
  }
}
