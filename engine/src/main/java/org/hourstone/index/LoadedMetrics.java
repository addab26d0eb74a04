package org.hourstone.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The metrics held in bounded memory: the least recently used are dropped first, and a metric too
 * large by itself is not held. Thread-safe.
 */
final class LoadedMetrics {
  private final IndexTable table;
  private final Schema schema;
  private final long mostBytes;

  /** In access order: the most recently used is last. */
  private final Map<Bytes, Held> slots = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  /** A slot and its accounted size. */
  private static final class Held {
    final MetricSlot slot;
    long bytes;
    int series;

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
      held = slots.computeIfAbsent(key, any -> new Held(new MetricSlot(schema.metricWidth())));
    }
    MetricSeries series =
        held.slot.get(
            atLeast,
            generation,
            () -> table.counter(metric),
            () -> table.load(metric, schema, mostBytes));
    if (series != null) {
      weigh(key, held, series);
    }
    return series;
  }

  /** Accounts for a slot that has grown, and drops others if the total is too large. */
  private void weigh(Bytes key, Held held, MetricSeries series) {
    int size = series.size();
    synchronized (this) {
      if (slots.get(key) != held || (held.bytes > 0 && size <= held.series + held.series / 8)) {
        return;
      }
    }
    long now = series.memory();
    synchronized (this) {
      if (slots.get(key) != held) {
        return;
      }
      bytes += now - held.bytes;
      held.bytes = now;
      held.series = size;
      List<Bytes> oldest = new ArrayList<>(slots.keySet());
      for (Bytes each : oldest) {
        if (bytes <= mostBytes) {
          break;
        }
        Held gone = slots.remove(each);
        bytes -= gone == null ? 0 : gone.bytes;
      }
    }
  }

  /** The metric's slot if it is held. */
  synchronized @Nullable MetricSlot find(byte[] metric) {
    Held held = slots.get(new Bytes(metric));
    return held == null ? null : held.slot;
  }

  synchronized void clear() {
    slots.clear();
    bytes = 0;
  }

  /** About how much memory all take. */
  synchronized long memory() {
    return bytes;
  }

  synchronized int size() {
    return slots.size();
  }
}
