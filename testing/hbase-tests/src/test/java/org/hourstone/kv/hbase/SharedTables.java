package org.hourstone.kv.hbase;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.hourstone.Tables;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreUri;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.PacedStore;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's tables, empty, for one test after the other.
 *
 * <p>Making or truncating a table takes a second, so plain cells are deleted one by one instead,
 * each at exactly its own time: such a deletion hides nothing that a later test writes. A table
 * with cells of given times or deletions in it is truncated.
 */
final class SharedTables {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");

  /** By the prefix of their names. */
  private static final Map<String, SharedTables> ALL = new ConcurrentHashMap<>();

  private final String prefix;
  private final AsyncConnection connection;
  private final KeyValueStore store;

  /** The earliest time of a cell that a server has dated. */
  private final long start = System.currentTimeMillis();

  /** By table, the time up to which everything the servers have dated was deleted. */
  private final Map<TableName, Long> emptied = new HashMap<>();

  private SharedTables(String prefix, AsyncConnection connection) {
    this.prefix = prefix;
    this.connection = connection;
    this.store = KeyValueStores.open(HBaseProcess.sharedUri() + "?prefix=" + prefix);
  }

  private static SharedTables create(String prefix) {
    ClusterOptions cluster = ClusterOptions.of(StoreUri.parse(HBaseProcess.sharedUri()));
    SharedTables tables =
        new SharedTables(
            prefix, ConnectionFactory.createAsyncConnection(cluster.configuration()).join());
    tables.store.ensure(TABLES.families(), SchemaMode.CREATE);
    tables.names().forEach(tables::truncate);
    return tables;
  }

  /** A store with empty tables, of which there is one: what is written to it before is gone. */
  static KeyValueStore open() {
    return open("shared_");
  }

  /**
   * As {@link #open()}, but no other tables are in the store, whatever other tests have made: an
   * index, for example, which every database would keep from then on.
   */
  static KeyValueStore openAlone() {
    return open("alone_");
  }

  private static KeyValueStore open(String prefix) {
    SharedTables tables = ALL.computeIfAbsent(prefix, SharedTables::create);
    tables.empty();
    return new PacedStore(
        new ForwardingStore(tables.store) {
          @Override
          public void close() {} // the next test uses it
        });
  }

  /** As {@link #open()}, for a test whose clock must not be far from that of the servers. */
  static KeyValueStore open(StoreFixture fixture) {
    ManualClock clock = fixture.clock();
    clock.advance(Duration.between(clock.instant(), Instant.now()));
    return open();
  }

  /** OpenTSDB's tables, and those a test made. */
  private List<TableName> names() {
    return store.families().stream()
        .map(Family::table)
        .distinct()
        .map(table -> TableName.valueOf(prefix + table))
        .toList();
  }

  private synchronized void empty() {
    for (TableName table : names()) {
      List<Delete> deletes = deletes(table);
      if (deletes == null) {
        truncate(table);
      } else if (!deletes.isEmpty()) {
        connection.getTable(table).deleteAll(deletes).join();
      }
      emptied.put(table, System.currentTimeMillis());
      PacedStore.pass();
    }
  }

  /** What removes every cell that is not removed yet; null if that takes more. */
  private @Nullable List<Delete> deletes(TableName table) {
    long done = emptied.getOrDefault(table, start - 1);
    List<Delete> deletes = new ArrayList<>();
    Scan all = new Scan().setRaw(true).readAllVersions();
    try (var results = connection.getTable(table).getScanner(all)) {
      for (Result result : results) {
        Delete delete = new Delete(result.getRow());
        for (Cell cell : result.rawCells()) {
          if (cell.getTimestamp() < start) {
            return null;
          }
          if (cell.getTimestamp() > done) {
            if (cell.getType() != Cell.Type.Put) {
              return null;
            }
            delete.addColumn(
                CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
          }
        }
        if (!delete.isEmpty()) {
          deletes.add(delete);
        }
      }
    }
    return deletes;
  }

  private void truncate(TableName table) {
    connection
        .getAdmin()
        .disableTable(table)
        .thenCompose(disabled -> connection.getAdmin().truncateTable(table, false))
        .join();
  }
}
