package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions are split, closed and opened again while everything is used. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseRegionsTest {
  private static final int ROWS = 1_000;
  private static final byte[] Q = {'q'};
  private static final byte[] LOG = {'l'};
  private static final byte[] GUARDED = {'g'};

  @TempDir private Path directory;

  /** How often each thing was done, and acknowledged, in its thread. */
  private record Done(int count) {}

  @Test
  void nothingIsLostOrDoneTwiceAndScansSeeEachRowOnce() throws Exception {
    Family family = StoreFixture.in(directory, 1).family();
    TableName table = TableName.valueOf(family.table());
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(5);
    try (KeyValueStore store = KeyValueStores.open(HBaseProcess.sharedUri());
        AsyncConnection connection = TableCase.connect(HBaseProcess.sharedUri())) {
      store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
      for (int i = 0; i < ROWS; i++) {
        store.put(family, number(i), Q, number(i));
      }
      List<Callable<Done>> uses =
          List.of(
              () -> until(over, i -> store.put(family, number(i % ROWS), Q, number(i))),
              () -> until(over, i -> store.append(family, number(i % ROWS), LOG, number(i))),
              () -> until(over, i -> store.increment(family, number(ROWS / 2), GUARDED, 1)),
              () -> until(over, i -> replace(store, family, number(i % 7 * 100L), i)),
              () -> until(over, i -> assertEachRowOnce(store, family)));
      List<Future<Done>> running = new ArrayList<>();
      uses.forEach(use -> running.add(threads.submit(use)));

      AsyncAdmin admin = connection.getAdmin();
      admin.split(table, number(ROWS / 3)).join();
      for (int round = 0; round < 2; round++) {
        for (RegionInfo region : admin.getRegions(table).join()) {
          admin.unassign(region.getRegionName()).join();
          admin.assign(region.getRegionName()).join();
        }
      }
      over.set(true);

      List<Integer> done = new ArrayList<>();
      for (Future<Done> each : running) {
        done.add(each.get().count());
      }
      assertThat(done).allMatch(count -> count > 0);
      assertWritten(store, family, done.get(0), done.get(1), done.get(2));
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertWritten(
      KeyValueStore store, Family family, int puts, int appends, int increments) {
    for (int i = 0; i < ROWS; i++) {
      Row row = store.get(family, number(i), Columns.all());
      int last = puts <= i ? i : i + (puts - 1 - i) / ROWS * ROWS;
      assertThat(row.find(Q)).as("put to row %d", i).isEqualTo(number(last));
      int times = appends <= i ? 0 : 1 + (appends - 1 - i) / ROWS;
      ByteBuffer log = ByteBuffer.wrap(orNothing(row.find(LOG)));
      assertThat(log.remaining()).as("appends to row %d", i).isEqualTo(times * 8);
      for (int time = 0; time < times; time++) {
        assertThat(log.getLong())
            .as("append %d to row %d", time, i)
            .isEqualTo((long) time * ROWS + i);
      }
    }
    byte[] counter = store.get(family, number(ROWS / 2), Columns.all()).find(GUARDED);
    assertThat(counter).isEqualTo(number(increments));
  }

  private interface Use {
    void run(int time);
  }

  private static Done until(AtomicBoolean over, Use use) {
    int time = 0;
    while (!over.get()) {
      use.run(time);
      time++;
    }
    return new Done(time);
  }

  /** Rewrites cells of its own, of which there must be one afterwards. */
  private static void replace(KeyValueStore store, Family family, byte[] row, int time) {
    byte[] key = ByteBuffer.allocate(9).put(row).put((byte) 'x').array();
    Row observed = store.get(family, key, Columns.all());
    byte[] qualifier = {'a', (byte) (time % 2)};
    store.replaceCells(family, observed, List.of(new Cell(qualifier, number(time))));
    Row now = store.get(family, key, Columns.all());
    assertThat(now.size()).isEqualTo(1);
    assertThat(now.find(qualifier)).isEqualTo(number(time));
  }

  private static void assertEachRowOnce(KeyValueStore store, Family family) {
    int expected = 0;
    try (RowCursor rows = store.scan(family, Scan.all().rowsPerFetch(20))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key().length == Long.BYTES) {
          assertThat(row.key()).isEqualTo(number(expected));
          expected++;
        }
      }
    }
    assertThat(expected).isEqualTo(ROWS);
  }

  private static byte[] orNothing(byte @Nullable [] value) {
    return value == null ? new byte[0] : value;
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
