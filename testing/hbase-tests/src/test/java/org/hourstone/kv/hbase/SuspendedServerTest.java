package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A region server is suspended until its regions are open elsewhere, and continued, while the store
 * and HBase's own client write distinct cells. Run on demand by {@code
 * -Dhourstone.suspended.rounds=N}, a minute or more each. On HDFS nothing that was acknowledged is
 * lost; on the local file system ({@code -Dhourstone.suspended.local}) cells are, and the test
 * fails with their number: docs/hbase.md.
 */
@NeedsHBase
@EnabledIfSystemProperty(named = "hourstone.suspended.rounds", matches = "[1-9][0-9]*")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the servers need the address 127.0.0.2")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class SuspendedServerTest {
  private static final Family CELLS = new Family("cells", "t");
  private static final byte[] Q = {'q'};
  private static final int BATCH = 10;
  private static final int WRITERS = 4;

  /**
   * Batches that each writer gets acknowledged after the server continued: they take longer than it
   * takes the server to notice that it was declared dead.
   */
  private static final int BATCHES_AFTER = 500;

  /** A call that the suspended server has in its socket must still be waited for. */
  private static final String PATIENT = "?timeout=120s&rpc.timeout=60s";

  private final Set<Bytes> acknowledgedToUs = new HashSet<>();
  private final Set<Bytes> acknowledgedToClient = new HashSet<>();

  @Test
  void whatWasAcknowledgedCanBeReadAfterAServerWasSuspended() throws Exception {
    boolean local = System.getProperty("hourstone.suspended.local") != null;
    int rounds = Integer.getInteger("hourstone.suspended.rounds");
    try (FaultCluster cluster = local ? FaultCluster.start() : FaultCluster.startOnHdfs();
        KeyValueStore store = KeyValueStores.open(cluster.uri() + "?create.split=salt:4")) {
      store.ensure(List.of(new FamilySpec(CELLS, true)), SchemaMode.CREATE);
      for (byte round = 0; round < rounds; round++) {
        suspend(cluster, round);
      }
      Set<Bytes> found = new HashSet<>();
      try (RowCursor rows = store.scan(CELLS, Scan.all())) {
        for (var row = rows.next(); row != null; row = rows.next()) {
          found.add(new Bytes(row.key()));
        }
      }
      assertThat(lost(acknowledgedToUs, found) + "; " + lost(acknowledgedToClient, found))
          .as("lost of those acknowledged to the store; and to HBase's client")
          .isEqualTo(
              "0 of %d; 0 of %d".formatted(acknowledgedToUs.size(), acknowledgedToClient.size()));
    }
  }

  private static String lost(Set<Bytes> acknowledged, Set<Bytes> found) {
    return acknowledged.stream().filter(row -> !found.contains(row)).count()
        + " of "
        + acknowledged.size();
  }

  private void suspend(FaultCluster cluster, byte round) throws Exception {
    ServerName third = cluster.third();
    List<RegionInfo> regions = cluster.regions(TableName.valueOf(CELLS.table()));
    regions.forEach(region -> cluster.move(region, third));
    String uri = cluster.uri() + PATIENT;
    try (KeyValueStore ours = KeyValueStores.open(uri);
        AsyncConnection client = TableCase.connect(uri)) {
      AsyncTable<?> table = client.getTable(TableName.valueOf(CELLS.table()));
      List<Activity> writers = new ArrayList<>();
      for (byte i = 0; i < WRITERS; i++) {
        byte number = i;
        writers.add(
            Activity.start("store " + i, 0, time -> put(ours, rows(round, 2 * number, time))));
        writers.add(
            Activity.start(
                "client " + i, 0, time -> put(table, rows(round, 2 * number + 1, time))));
      }
      awaitDone(writers, 20);
      cluster.signalThird("STOP");
      awaitOpen(cluster, regions);
      cluster.signalThird("CONT");
      awaitDone(writers, BATCHES_AFTER);
      for (Activity writer : writers) {
        writer.end();
      }
    } finally {
      cluster.killThird();
    }
    cluster.replaceThird();
  }

  private static void awaitDone(List<Activity> writers, int more) throws Exception {
    for (Activity writer : writers) {
      writer.awaitDone(more);
    }
  }

  /** Reads a row of each region, which succeeds when a server has it that responds. */
  private static void awaitOpen(FaultCluster cluster, List<RegionInfo> regions) {
    try (KeyValueStore other =
        KeyValueStores.open(cluster.uri() + "?timeout=120s&rpc.timeout=1s")) {
      for (RegionInfo region : regions) {
        byte[] start = region.getStartKey();
        other.get(CELLS, start.length == 0 ? new byte[1] : start, Columns.all());
      }
    }
  }

  /** New rows, spread over the regions. */
  private static List<byte[]> rows(byte round, int writer, int time) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      int number = time * BATCH + i;
      rows.add(
          ByteBuffer.allocate(7)
              .put((byte) (number % 4))
              .put(round)
              .put((byte) writer)
              .putInt(number)
              .array());
    }
    return rows;
  }

  private void put(KeyValueStore store, List<byte[]> rows) {
    store.mutate(
        CELLS, rows.stream().map(row -> new RowMutation(row, new Change.Put(Q, Q))).toList());
    acknowledged(rows, acknowledgedToUs);
  }

  private void put(AsyncTable<?> table, List<byte[]> rows) {
    List<Put> puts =
        rows.stream().map(row -> new Put(row).addColumn(new byte[] {'t'}, Q, Q)).toList();
    try {
      FaultCluster.await(table.putAll(puts));
    } catch (CompletionException e) {
      throw new StoreException(StoreException.Outcome.UNKNOWN, "HBase's client", e);
    }
    acknowledged(rows, acknowledgedToClient);
  }

  private static void acknowledged(List<byte[]> rows, Set<Bytes> to) {
    synchronized (to) {
      rows.forEach(row -> to.add(new Bytes(row)));
    }
  }
}
