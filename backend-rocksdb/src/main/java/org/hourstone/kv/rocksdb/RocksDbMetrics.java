package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.StoreMetrics.Metric;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** RocksDB's figures about one open database. */
final class RocksDbMetrics {
  /** Values of the map {@code rocksdb.cfstats}: writes that RocksDB has delayed or stopped. */
  private static final List<String> STALLS =
      List.of("io_stalls.total_slowdown", "io_stalls.total_stop");

  private RocksDbMetrics() {}

  /**
   * @param memory of the database
   * @param families all of them
   */
  static List<Metric> of(RocksDB db, RocksDbMemory.Usage memory, List<ColumnFamilyHandle> families)
      throws RocksDBException {
    List<Metric> all = new ArrayList<>();
    all.add(
        new Metric(
            "rocksdb_cache_bytes",
            "Memory of RocksDB: cached blocks, indexes, filters and write buffers",
            memory.cache()));
    all.add(new Metric("rocksdb_cache_limit_bytes", "What that may become", memory.limit()));
    all.add(
        new Metric(
            "rocksdb_cache_pinned_bytes",
            "The part of it that is in use and can't be evicted",
            memory.pinned()));
    all.add(
        new Metric(
            "rocksdb_write_buffer_bytes",
            "Changes that are not in table files yet; a part of the cache",
            memory.writeBuffers()));
    all.add(
        new Metric(
            "rocksdb_table_reader_bytes",
            "Memory of open table files outside of the cache",
            memory.tableReaders()));
    all.add(
        new Metric(
            "rocksdb_pending_compaction_bytes",
            "What RocksDB has to rewrite until its levels have their sizes, an estimate",
            db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes")));
    all.add(
        new Metric(
            "rocksdb_running_compactions",
            "Compactions of table files in progress",
            db.getLongProperty("rocksdb.num-running-compactions")));
    all.add(
        new Metric(
            "rocksdb_running_flushes",
            "Write buffers that are being written to table files",
            db.getLongProperty("rocksdb.num-running-flushes")));
    all.add(
        new Metric(
            "rocksdb_writes_stopped",
            "1 while RocksDB accepts no writes until compactions or flushes are done",
            db.getLongProperty("rocksdb.is-write-stopped")));
    all.add(
        new Metric(
            "rocksdb_delayed_write_bytes_per_second",
            "The rate to which RocksDB slows writes; 0 if it does not",
            db.getLongProperty("rocksdb.actual-delayed-write-rate")));
    all.add(
        new Metric(
            "rocksdb_write_stalls_total",
            "How often RocksDB began to slow or stop writes to a table",
            stalls(db, families)));
    all.add(
        new Metric(
            "rocksdb_background_errors_total",
            "Compactions and flushes that have failed",
            db.getLongProperty("rocksdb.background-errors")));
    return all;
  }

  private static long stalls(RocksDB db, List<ColumnFamilyHandle> families)
      throws RocksDBException {
    long sum = 0;
    for (ColumnFamilyHandle family : families) {
      Map<String, String> stats = db.getMapProperty(family, "rocksdb.cfstats");
      for (String stall : STALLS) {
        sum += Long.parseLong(stats.getOrDefault(stall, "0"));
      }
    }
    return sum;
  }
}
