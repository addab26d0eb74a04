package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.Change;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** Tables in HBase with a prefix of their own, and HBase's client on the table of points. */
final class HBasePlace implements Place {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final byte[] FAMILY = POINTS.name().getBytes(US_ASCII);
  private static final int POINTS_PER_BATCH = 4096;

  /** As many as our write path has: one for each thread. */
  private static final int BATCHES_ON_THEIR_WAY = 2;

  private final HBaseProcess hbase;
  private final AsyncConnection client;
  private final String prefix = "bench" + COUNT.getAndIncrement() + "-";
  private final String uri;
  private final TableName table = TableName.valueOf(prefix + POINTS.table());

  HBasePlace(HBaseProcess hbase, AsyncConnection client) {
    this.hbase = hbase;
    this.client = client;
    this.uri = hbase.uri() + "?prefix=" + prefix;
  }

  @Override
  public Tsdb open(TsdbOptions options) {
    return Tsdb.open(uri, options);
  }

  @Override
  public KeyValueStore store() {
    return KeyValueStores.open(uri);
  }

  @Override
  public Writing writing(List<List<RowMutation>> batches, boolean whole) {
    open(Form.SINGLE.options()).close(); // creates the tables
    return () -> send(batches, whole);
  }

  private void send(List<List<RowMutation>> batches, boolean wholeRows) throws IOException {
    AsyncTable<?> to = client.getTable(table);
    Semaphore room = new Semaphore(BATCHES_ON_THEIR_WAY);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    for (List<RowMutation> batch : batches) {
      List<Put> puts = new ArrayList<>();
      for (RowMutation row : batch) {
        if (wholeRows) {
          puts.add(put(row, row.changes()));
        } else {
          row.changes().forEach(change -> puts.add(put(row, List.of(change))));
        }
      }
      for (int i = 0; i < puts.size(); i += POINTS_PER_BATCH) {
        send(to, puts.subList(i, Math.min(puts.size(), i + POINTS_PER_BATCH)), room, failure);
      }
    }
    room.acquireUninterruptibly(BATCHES_ON_THEIR_WAY);
    if (failure.get() != null) {
      throw new IOException(failure.get());
    }
  }

  private static void send(
      AsyncTable<?> to,
      List<Put> puts,
      Semaphore room,
      AtomicReference<@Nullable Throwable> failure) {
    room.acquireUninterruptibly();
    CompletableFuture<?> all =
        CompletableFuture.allOf(to.batch(puts).toArray(new CompletableFuture<?>[0]));
    var unused =
        all.whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                failure.set(thrown);
              }
              room.release();
            });
  }

  private static Put put(RowMutation row, List<Change> changes) {
    Put put = new Put(row.row());
    for (Change change : changes) {
      put.addColumn(FAMILY, change.qualifier(), ((Change.Put) change).value());
    }
    return put;
  }

  @Override
  public long records() throws IOException {
    long records = 0;
    try (ResultScanner rows = client.getTable(table).getScanner(new Scan())) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        records += row.size();
      }
    }
    return records;
  }

  @Override
  public void settle() {
    HBaseTables.settle(client, table);
  }

  @Override
  public long bytes() throws IOException {
    return HBaseTables.bytes(hbase, table);
  }

  @Override
  public void close() {
    var admin = client.getAdmin();
    for (TableName each : admin.listTableNames(Pattern.compile(prefix + ".*"), false).join()) {
      admin.disableTable(each).join();
      admin.deleteTable(each).join();
    }
  }
}
