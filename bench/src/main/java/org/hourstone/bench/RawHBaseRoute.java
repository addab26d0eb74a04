package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** HBase's own client, with the batches of ours, which were recorded beforehand. */
final class RawHBaseRoute implements HBaseRoute {
  /** As many as our write path has: one for each thread. */
  private static final int BATCHES_ON_THEIR_WAY = 2;

  private final AsyncTable<?> table;
  private final byte[] family;
  private final Tsdb db;
  private final boolean cellByCell;
  private final Semaphore room = new Semaphore(BATCHES_ON_THEIR_WAY);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Of the points that are written next. */
  private final Queue<List<RowMutation>> batches = new ConcurrentLinkedQueue<>();

  /**
   * @param cellByCell whether each cell is a put of its own, instead of all of a row in a batch
   */
  RawHBaseRoute(
      AsyncConnection client, KeyValueStore store, TsdbOptions options, boolean cellByCell) {
    Family points = options.tables().points();
    this.family = points.name().getBytes(US_ASCII);
    this.db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                if (family.equals(points)) {
                  batches.add(List.copyOf(batch));
                } else {
                  super.mutate(family, batch);
                }
              }
            },
            options);
    this.table = client.getTable(TableName.valueOf(points.table()));
    this.cellByCell = cellByCell;
  }

  @Override
  public void prepare(TelnetLines lines) {
    batches.clear();
    lines.write(db);
  }

  @Override
  public void write(TelnetLines lines) throws IOException {
    for (List<RowMutation> batch : batches) {
      List<Put> puts = new ArrayList<>();
      for (RowMutation row : batch) {
        if (cellByCell) {
          row.changes().forEach(change -> puts.add(put(row, List.of(change))));
        } else {
          puts.add(put(row, row.changes()));
        }
      }
      send(puts);
    }
    room.acquireUninterruptibly(BATCHES_ON_THEIR_WAY);
    room.release(BATCHES_ON_THEIR_WAY);
    if (failure.get() != null) {
      throw new IOException(failure.get());
    }
  }

  private void send(List<Put> puts) {
    room.acquireUninterruptibly();
    var unused =
        CompletableFuture.allOf(table.batch(puts).toArray(new CompletableFuture<?>[0]))
            .whenComplete(
                (done, thrown) -> {
                  if (thrown != null) {
                    failure.set(thrown);
                  }
                  room.release();
                });
  }

  private Put put(RowMutation row, List<Change> changes) {
    Put put = new Put(row.row());
    for (Change change : changes) {
      put.addColumn(family, change.qualifier(), ((Change.Put) change).value());
    }
    return put;
  }

  @Override
  public void close() {
    db.close();
  }
}
