package org.hourstone.kv;

import java.util.List;

/** Extension: figures about a store's own work, for monitoring. Thread-safe. */
public interface StoreMetrics {
  /**
   * A counter or gauge.
   *
   * @param name as Prometheus names metrics, in base units, such as {@code rocksdb_cache_bytes};
   *     that of a counter ends with {@code _total}
   * @param meaning one sentence without a full stop
   */
  record Metric(String name, String meaning, long value) {
    /** Whether the value only grows while the store is open. */
    public boolean isCounter() {
      return name.endsWith("_total");
    }
  }

  /**
   * The current figures.
   *
   * @throws StoreException if they can't be read
   */
  List<Metric> metrics();
}
