package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** The cells our write path has written in this round, written with HBase's own client. */
final class ClientRoute implements HBaseRoute {
  private static final byte[] FAMILY = "t".getBytes(US_ASCII);
  private static final int POINTS_PER_BATCH = 4096;

  /** As many as our write path has: one for each thread. */
  private static final int BATCHES_ON_THEIR_WAY = 2;

  /** How the client is used. */
  enum Kind {
    /** The asynchronous client, with the very batches of our write path. */
    BATCHES,
    /** The asynchronous client, with a put for each point, as many at a time. */
    PUTS,
    /** {@code BufferedMutator}, with a put for each point. */
    MUTATOR
  }

  private final HBaseClient client;
  private final RecordedBatches written;
  private final Kind kind;
  private final String table;
  private List<List<RowMutation>> batches = List.of();

  /**
   * @param written the cells of our write path, which runs before this route in each round
   */
  ClientRoute(HBaseClient client, RecordedBatches written, Kind kind, String table) {
    this.client = client;
    this.written = written;
    this.kind = kind;
    this.table = table;
    // Makes the table.
    new EngineRoute(written, table, EngineRoute.singles()).close();
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public void prepare(HBaseRound round) {
    batches = written.batches();
  }

  @Override
  public void write(HBaseRound round) throws IOException {
    switch (kind) {
      case BATCHES -> send(true);
      case PUTS -> send(false);
      case MUTATOR -> mutate();
    }
    batches = List.of();
  }

  private void send(boolean wholeRows) throws IOException {
    AsyncTable<?> to = client.asynchronous().getTable(TableName.valueOf(table));
    Semaphore room = new Semaphore(BATCHES_ON_THEIR_WAY);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    for (List<RowMutation> batch : batches) {
      if (wholeRows) {
        send(to, batch.stream().map(ClientRoute::row).toList(), room, failure);
      } else {
        List<Put> puts = new ArrayList<>();
        batch.forEach(mutation -> mutation.changes().forEach(c -> puts.add(point(mutation, c))));
        for (int i = 0; i < puts.size(); i += POINTS_PER_BATCH) {
          List<Put> some = puts.subList(i, Math.min(puts.size(), i + POINTS_PER_BATCH));
          send(to, some, room, failure);
        }
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

  private static Put row(RowMutation mutation) {
    Put put = new Put(mutation.row());
    for (Change change : mutation.changes()) {
      add(put, change);
    }
    return put;
  }

  private static Put point(RowMutation mutation, Change change) {
    Put put = new Put(mutation.row());
    add(put, change);
    return put;
  }

  private static void add(Put put, Change change) {
    if (!(change instanceof Change.Put cell)) {
      throw new IllegalStateException("not a put: " + change);
    }
    put.addColumn(FAMILY, cell.qualifier(), cell.value());
  }

  private void mutate() throws IOException {
    try (BufferedMutator mutator = client.blocking().getBufferedMutator(TableName.valueOf(table))) {
      for (List<RowMutation> batch : batches) {
        for (RowMutation mutation : batch) {
          for (Change change : mutation.changes()) {
            mutator.mutate(point(mutation, change));
          }
        }
      }
    }
  }
}
