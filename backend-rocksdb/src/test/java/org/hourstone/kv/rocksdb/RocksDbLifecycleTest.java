package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Native memory that is freed is not used: a mistake here kills the JVM that runs the tests. */
@Timeout(120)
class RocksDbLifecycleTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] QUALIFIER = {1};
  private static final int ROWS = 300;

  @TempDir Path directory;

  private interface Use {
    void once(KeyValueStore store);
  }

  @Test
  void theStoreMayBeClosedUnderThreadsThatUseItInEveryWay() throws InterruptedException {
    List<Use> uses =
        List.of(
            RocksDbLifecycleTest::scan,
            store -> store.get(FAMILY, rows(), Columns.all()),
            store -> store.get(FAMILY, rows(), Columns.exactly(QUALIFIER)),
            store -> store.append(FAMILY, row(0), QUALIFIER, QUALIFIER),
            store -> store.increment(FAMILY, row(1), new byte[] {2}, 1),
            store -> store.extension(RocksDbMemory.class).orElseThrow().usage());
    for (int round = 0; round < 10; round++) {
      KeyValueStore store = open();
      Queue<Throwable> ends = new ConcurrentLinkedQueue<>();
      List<Thread> users = new ArrayList<>();
      CountDownLatch used = new CountDownLatch(uses.size() * (1 + round));
      for (Use use : uses) {
        Thread user = new Thread(() -> useUntilRefused(store, use, used, ends));
        user.start();
        users.add(user);
      }
      used.await();
      store.close();
      for (Thread user : users) {
        user.join();
      }
      assertThat(ends)
          .hasSize(uses.size())
          .allSatisfy(
              end ->
                  assertThat(end)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessage("RocksDB store " + directory + " is closed"));
    }
  }

  @Test
  void cursorsLeftOpenAreClosedWithTheStore() {
    KeyValueStore store = open();
    List<RowCursor> cursors = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      cursors.add(store.scan(FAMILY, Scan.all()));
    }
    cursors.forEach(cursor -> assertThat(cursor.next()).isNotNull());
    store.close();
    for (RowCursor cursor : cursors) {
      assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
      cursor.close();
    }
    store.close();
  }

  @Test
  void aScanThatFindsNoRowCanBeEnded() {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < Scan.ROWS_PER_CHECK + 1; i++) {
        store.put(FAMILY, ByteBuffer.allocate(6).putInt(i).array(), QUALIFIER, QUALIFIER);
      }
      byte[] none = {1, 1, 1, 1, 1, 1};
      Scan scan =
          Scan.all()
              .filter(new FuzzyRow(none, new boolean[] {false, false, false, false, true, true}));
      RuntimeException end = new IllegalArgumentException("ended");
      Runnable check =
          () -> {
            throw end;
          };
      try (RowCursor cursor = store.scan(FAMILY, scan.check(check))) {
        assertThatThrownBy(cursor::next).isSameAs(end);
      }
      try (RowCursor cursor = store.scan(FAMILY, scan)) {
        assertThat(cursor.next()).isNull();
      }
    }
  }

  @Test
  void aClosedCursorSaysSo() {
    try (KeyValueStore store = open()) {
      RowCursor cursor = store.scan(FAMILY, Scan.all());
      cursor.close();
      assertThatThrownBy(cursor::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the cursor is closed");
    }
  }

  @Test
  void twoThreadsMayCloseTheStoreAtOnceAndBothFindItClosed() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      KeyValueStore store = open();
      Thread other = new Thread(store::close);
      other.start();
      store.close();
      // Only a store whose natives are freed gives up its directory.
      open().close();
      other.join();
    }
  }

  private static void useUntilRefused(
      KeyValueStore store, Use use, CountDownLatch used, Queue<Throwable> ends) {
    try {
      while (true) {
        use.once(store);
        used.countDown();
      }
    } catch (RuntimeException | AssertionError end) {
      ends.add(end);
      while (used.getCount() > 0) {
        used.countDown();
      }
    }
  }

  private static void scan(KeyValueStore store) {
    assertThat(countRows(store.scan(FAMILY, Scan.all()))).isEqualTo(ROWS);
  }

  private static int countRows(RowCursor cursor) {
    try (cursor) {
      int rows = 0;
      while (cursor.next() != null) {
        rows++;
      }
      return rows;
    }
  }

  private KeyValueStore open() {
    KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults());
    store.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
    List<RowMutation> batch = new ArrayList<>();
    for (byte[] row : rows()) {
      batch.add(new RowMutation(row, new Change.Put(QUALIFIER, row)));
    }
    store.mutate(FAMILY, batch);
    return store;
  }

  private static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row(i));
    }
    return rows;
  }

  private static byte[] row(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
