package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreOptions;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

/**
 * When changes are dated: in the order in which they are seen, also after the store was reopened.
 */
class WriteTimesTest extends RocksDbCase {
  /**
   * Otherwise a compacted cell, which is dated by the newest cell it replaces, takes precedence
   * over a write that was dated before that cell and applied after the row was read.
   */
  @Test
  void writesOfARowBecomeVisibleInTheOrderOfTheirTimes() throws Exception {
    byte[] later = {2};
    CountDownLatch rowIsDated = new CountDownLatch(1);
    CountDownLatch proceed = new CountDownLatch(1);
    AtomicInteger readings = new AtomicInteger();
    ThreadLocal<Boolean> slow = ThreadLocal.withInitial(() -> false);
    InstantSource clock =
        () -> {
          if (slow.get() && readings.incrementAndGet() == 2) { // for the second row of the batch
            rowIsDated.countDown();
            awaitUninterruptibly(proceed);
          }
          return Instant.ofEpochMilli(now.get());
        };
    try (KeyValueStore store =
        RocksDbStore.open(directory, RocksDbOptions.defaults(), new StoreOptions(clock))) {
      create(store, FAMILY);
      Thread first =
          new Thread(
              () -> {
                slow.set(true);
                store.mutate(FAMILY, List.of(put(ROW, QUALIFIER), put(row(1), QUALIFIER)));
              });
      Thread second = new Thread(() -> store.put(FAMILY, ROW, later, new byte[] {2}));
      first.start();
      rowIsDated.await();
      second.start();
      while (second.isAlive() && second.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      Row seen = store.get(FAMILY, ROW, Columns.all());
      proceed.countDown();
      first.join();
      second.join();
      Row row = store.get(FAMILY, ROW, Columns.all());
      assertThat(row.size()).isEqualTo(2);
      for (int i = 0; i < row.size(); i++) {
        for (int j = 0; j < seen.size(); j++) {
          if (seen.indexOf(row.qualifier(i)) < 0) {
            assertThat(row.writeTime(i))
                .as("seen %s, then %s", seen, row)
                .isGreaterThan(seen.writeTime(j));
          }
        }
      }
    }
  }

  @Test
  void aWriteTimeCostsFourBytesInTheFirstDays() throws RocksDBException {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      now.addAndGet(3 * 24 * 3_600_000L);
      store.put(FAMILY, ROW, QUALIFIER, new byte[8]);
      store.append(FAMILY, row(1), QUALIFIER, new byte[3]);
    }
    byte[] put = FlatKeys.cell(ROW, QUALIFIER);
    byte[] appended = FlatKeys.cell(row(1), QUALIFIER);
    List<Integer> lengths = new ArrayList<>();
    StoreDirectory.intrude(
        directory,
        List.of("tsdb:t"),
        (db, handles) -> {
          lengths.add(db.get(handles.get(1), put).length);
          lengths.add(db.get(handles.get(1), appended).length);
        });
    assertThat(lengths).containsExactly(8 + 4, 3 + 5);
  }

  @Test
  void writeTimesDoNotGoBackWhenTheClockDoesWhileTheStoreIsClosed() throws IOException {
    Path killed = directory.resolve("killed");
    Path closed = directory.resolve("closed");
    long last;
    try (KeyValueStore store = open(closed)) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
      last = store.get(FAMILY, ROW, Columns.all()).writeTime(0);
      StoreDirectory.copy(closed, killed);
    }
    now.addAndGet(-3_600_000);
    for (Path left : List.of(killed, closed)) {
      try (KeyValueStore store = open(left)) {
        assertThat(store.get(FAMILY, ROW, Columns.all()).writeTime(0)).isEqualTo(last);
        store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
        assertThat(store.get(FAMILY, ROW, Columns.all()).writeTime(0))
            .isBetween(last + 1, last + WriteClock.AHEAD + 1);
      }
    }
  }

  @Test
  void timesBeforeTheStoreWasMadeAreKept() {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      store.mutate(
          FAMILY,
          List.of(new RowMutation(ROW, new Change.PutIfNewer(QUALIFIER, new byte[1], 1234))));
    }
    now.addAndGet(86_400_000);
    try (KeyValueStore store = open(directory)) {
      assertThat(store.get(FAMILY, ROW, Columns.all()).writeTime(0)).isEqualTo(1234);
    }
  }

  @Test
  void cellsRestoredFromTheFutureDoNotMakeTheirRowRunAheadOfTheClock() {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      for (int i = 0; i < 100; i++) {
        putIfNewer(store, ROW, new byte[] {(byte) i}, now.get() + 3_600_000 + i);
      }
      store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
      Row row = store.get(FAMILY, ROW, Columns.all());
      assertThat(row.size()).isEqualTo(101);
      for (int i = 0; i < row.size(); i++) {
        boolean put = i == row.indexOf(QUALIFIER);
        assertThat(row.writeTime(i)).isEqualTo(put ? now.get() + 1 : now.get());
      }
    }
  }

  @Test
  void whatIsPutAfterReopeningIsLaterThanWhatWasGivenThoughTheClockWentBack() {
    long given = now.get() - 5;
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      putIfNewer(store, ROW, QUALIFIER, given);
    }
    now.addAndGet(-3_600_000);
    try (KeyValueStore store = open(directory)) {
      store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
      assertThat(store.get(FAMILY, ROW, Columns.all()).writeTime(0)).isGreaterThan(given);
    }
  }

  @Test
  void whatChangesNothingUsesUpNoTime() {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
      Row seen = store.get(FAMILY, ROW, Columns.all());
      store.append(FAMILY, ROW, QUALIFIER, new byte[1]);
      long last = store.get(FAMILY, ROW, Columns.all()).writeTime(0);
      for (int i = 0; i < 10; i++) {
        assertThat(store.compareAndSet(FAMILY, ROW, QUALIFIER, new byte[1], new byte[3])).isFalse();
        assertThat(store.replaceCells(FAMILY, seen, List.of(new Cell(row(i), ROW)))).isFalse();
        putIfNewer(store, ROW, QUALIFIER, last - 1);
        store.mutate(FAMILY, List.of(new RowMutation(ROW, new Change.Delete(row(i)))));
      }
      store.put(FAMILY, ROW, QUALIFIER, new byte[3]);
      assertThat(store.get(FAMILY, ROW, Columns.all()).writeTime(0)).isEqualTo(last + 1);
    }
  }

  @Test
  void aBatchWithDatedPutsIsAppliedAsAWholeOrNotAtAll() throws RocksDBException {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
    }
    byte[] malformed = FlatKeys.cell(row(1), QUALIFIER);
    StoreDirectory.intrude(
        directory,
        List.of("tsdb:t"),
        (db, handles) -> db.put(handles.get(1), malformed, new byte[] {(byte) 0x8F}));
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      batch.add(new RowMutation(row(i), new Change.PutIfNewer(QUALIFIER, ROW, 1_234)));
    }
    batch.add(new RowMutation(ROW, new Change.Put(QUALIFIER, ROW)));
    try (KeyValueStore store = open(directory)) {
      assertThatThrownBy(() -> store.mutate(FAMILY, batch))
          .hasMessageContainingAll(directory.toString(), "malformed", "row 0000000000000001")
          .isInstanceOfSatisfying(
              BatchException.class,
              e -> {
                Outcome no = Outcome.NOT_APPLIED;
                assertThat(e.outcomes()).containsExactly(no, Outcome.REJECTED, no, no);
              });
      for (byte[] row : List.of(row(0), row(2), ROW)) {
        assertThat(store.get(FAMILY, row, Columns.all()).isEmpty()).isTrue();
      }
      batch.remove(1);
      store.mutate(FAMILY, batch);
      for (byte[] row : List.of(row(0), row(2), ROW)) {
        assertThat(store.get(FAMILY, row, Columns.all()).value(0)).isEqualTo(ROW);
      }
    }
  }

  /** The clock is read while the row is, so that a write can be attempted just then. */
  @Test
  void aDatedPutStaysBehindWhatIsWrittenWhileItIsDecidedOn() throws InterruptedException {
    AtomicReference<Runnable> atNextReading = new AtomicReference<>();
    StoreOptions options =
        new StoreOptions(
            () -> {
              Runnable action = atNextReading.getAndSet(null);
              if (action != null) {
                action.run();
              }
              return Instant.ofEpochMilli(now.get());
            });
    try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults(), options)) {
      create(store, FAMILY);
      Thread other = new Thread(() -> store.put(FAMILY, ROW, QUALIFIER, ROW));
      atNextReading.set(
          () -> {
            other.start();
            while (other.isAlive() && other.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          });
      putIfNewer(store, ROW, QUALIFIER, 1_234);
      other.join();
      assertThat(store.get(FAMILY, ROW, Columns.all()).value(0)).isEqualTo(ROW);
    }
  }
}
