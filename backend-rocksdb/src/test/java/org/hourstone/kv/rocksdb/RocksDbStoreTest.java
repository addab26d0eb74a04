package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** What is RocksDB's own of the store, beyond the contract of all stores. */
class RocksDbStoreTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] ROW = "row".getBytes(UTF_8);
  private static final byte[] QUALIFIER = {1, 2};
  private static final long SEED = 20261121;

  @TempDir Path directory;

  private final AtomicLong now = new AtomicLong(1_795_000_000_000L);

  @Test
  void familiesAreKeptUnderAnyTableName() {
    Family odd = new Family("a:b c/ü", "t");
    try (KeyValueStore store = open(directory)) {
      create(store, new Family("tsdb-uid", "name"), FAMILY, odd, new Family("tsdb-uid", "id"));
    }
    try (KeyValueStore store = open(directory)) {
      assertThat(store.families())
          .hasToString("[a:b c/ü:t, tsdb:t, tsdb-uid:id, tsdb-uid:name]")
          .contains(odd);
      store.put(odd, ROW, QUALIFIER, new byte[0]);
      assertThat(store.get(FAMILY, ROW, Columns.all()).isEmpty()).isTrue();
      assertThat(store.get(odd, ROW, Columns.all()).size()).isEqualTo(1);
    }
  }

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

  private static RowMutation put(byte[] row, byte[] qualifier) {
    return new RowMutation(row, new Change.Put(qualifier, new byte[] {1}));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void familiesOfAnyNameSurviveOrAreRefused() {
    List<Family> odd = new ArrayList<>();
    for (String name :
        List.of("T", "t", "\"]", "a=b #c", "\\", "two\nlines", "\u00e4", "a\u0308")) {
      odd.add(new Family("default", name));
    }
    Family broken = new Family("tsdb", "\ud800");
    try (KeyValueStore store = open(directory)) {
      create(store, odd.toArray(Family[]::new));
      odd.forEach(family -> store.put(family, ROW, QUALIFIER, family.name().getBytes(UTF_8)));
      assertThatThrownBy(() -> create(store, broken))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
          .hasMessageContaining("not valid Unicode");
    }
    try (KeyValueStore store = open(directory)) {
      assertThat(store.families()).hasSameElementsAs(odd);
      for (Family family : odd) {
        assertThat(store.get(family, ROW, Columns.all()).value(0))
            .isEqualTo(family.name().getBytes(UTF_8));
      }
    }
  }

  @Test
  void everyMissingFamilyIsNamed() {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      List<FamilySpec> wanted =
          List.of(spec(FAMILY), spec(new Family("tsdb", "u")), spec(new Family("x", "y")));
      assertThatThrownBy(() -> store.ensure(wanted, SchemaMode.VERIFY))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("missing families [tsdb:u, x:y]");
    }
  }

  @Test
  void whatIsAppendedStaysThroughTableFilesAndCompaction() throws RocksDBException {
    Random random = new Random(SEED);
    byte[][] expected = new byte[50][0];
    long[] times = new long[expected.length];
    for (int round = 0; round < 4; round++) {
      try (KeyValueStore store = open(directory)) {
        create(store, FAMILY);
        for (int i = 0; i < 500; i++) {
          int row = random.nextInt(expected.length);
          byte[] added = new byte[1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 12)];
          random.nextBytes(added);
          now.addAndGet(random.nextInt(3));
          if (random.nextInt(100) == 0) {
            store.put(FAMILY, row(row), QUALIFIER, added);
            expected[row] = added;
          } else {
            store.append(FAMILY, row(row), QUALIFIER, added);
            expected[row] = join(expected[row], added);
          }
          times[row] = store.get(FAMILY, row(row), Columns.all()).writeTime(0);
        }
      }
    }
    StoreDirectory.compact(directory, "tsdb:t");
    try (KeyValueStore store = open(directory)) {
      for (int i = 0; i < expected.length; i++) {
        Row row = store.get(FAMILY, row(i), Columns.all());
        assertThat(row.value(0)).as("seed %d, row %d", SEED, i).isEqualTo(expected[i]);
        assertThat(row.writeTime(0)).as("seed %d, row %d", SEED, i).isEqualTo(times[i]);
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
  void writeTimesDoNotGoBackWhenTheClockDoesWhileNobodyIsThere() throws IOException {
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

  @Test
  void aBatchLargerThanAnArrayIsRefusedBeforeAnyEffect() {
    byte[] shared = new byte[Limits.VALUE];
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      batch.add(new RowMutation(row(i), new Change.Put(QUALIFIER, shared)));
    }
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      assertThatThrownBy(() -> store.mutate(FAMILY, batch))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
          .hasMessageContaining("more than 2000000000");
      assertThat(store.get(FAMILY, row(0), Columns.all()).isEmpty()).isTrue();
    }
  }

  @Test
  void aLongScanLetsGoOfWhatItHasReadAndDeliversEachRowOnce() {
    int rows = 3 * RocksDbCursor.RUN + 7;
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      List<RowMutation> batch = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        batch.add(new RowMutation(row(i), new Change.Put(QUALIFIER, ROW)));
      }
      store.mutate(FAMILY, batch);
      int goneFrom = rows - RocksDbCursor.RUN / 2;
      int count = 0;
      try (RowCursor cursor = store.scan(FAMILY, Scan.all())) {
        for (Row row = cursor.next(); row != null; row = cursor.next()) {
          assertThat(row.key()).isEqualTo(row(count));
          if (count == 0) {
            batch.replaceAll(each -> new RowMutation(each.row(), new Change.DeleteRow()));
            store.mutate(FAMILY, batch.subList(goneFrom, rows));
          }
          // Where the cursor stands: neither what is removed behind nor at it matters.
          store.mutate(FAMILY, List.of(batch.get(count)));
          count++;
        }
      }
      assertThat(count).isEqualTo(goneFrom);
    }
  }

  @Test
  void cellsAreFoundInAnyOrderOfRows() {
    Random random = new Random(SEED);
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      for (int i = 0; i < 200; i++) {
        int row = random.nextInt(50);
        store.put(FAMILY, row(row), new byte[] {(byte) random.nextInt(5)}, row(row));
      }
      for (int round = 0; round < 100; round++) {
        List<byte[]> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          asked.add(row(random.nextInt(60)));
        }
        byte[][] qualifiers = new byte[1 + random.nextInt(3)][];
        for (int i = 0; i < qualifiers.length; i++) {
          qualifiers[i] = new byte[] {(byte) random.nextInt(6)};
        }
        Columns columns = Columns.exactly(qualifiers);
        List<Row> read = store.get(FAMILY, asked, columns);
        for (int i = 0; i < asked.size(); i++) {
          Row all = store.get(FAMILY, asked.get(i), Columns.all());
          List<Integer> kept = new ArrayList<>();
          for (int c = 0; c < all.size(); c++) {
            if (columns.includes(all.qualifier(c))) {
              kept.add(c);
            }
          }
          assertThat(read.get(i)).as("seed %d", SEED).hasToString(all.only(kept).toString());
        }
      }
    }
  }

  @Test
  void aSyncedStoreWritesLikeAnother() {
    RocksDbOptions synced = RocksDbOptions.defaults().sync(true);
    try (KeyValueStore store = RocksDbStore.open(directory, synced)) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, new byte[1]);
      assertThat(store.increment(FAMILY, row(1), QUALIFIER, 5)).isEqualTo(5);
    }
    try (KeyValueStore store = open(directory)) {
      assertThat(store.get(FAMILY, ROW, Columns.all()).size()).isEqualTo(1);
    }
  }

  @Test
  void cachesAndWriteBuffersKeepToTheMemoryTheyWereGiven() {
    long limit = 16 << 20;
    RocksDbOptions options = RocksDbOptions.defaults().memory(limit);
    try (KeyValueStore store = RocksDbStore.open(directory, options)) {
      create(store, FAMILY);
      RocksDbMemory memory = store.extension(RocksDbMemory.class).orElseThrow();
      Random random = new Random(SEED);
      long mostInBuffers = 0;
      for (int i = 0; i < 64; i++) {
        byte[] value = new byte[1 << 20];
        random.nextBytes(value);
        store.put(FAMILY, row(i), QUALIFIER, value);
        mostInBuffers = Math.max(mostInBuffers, memory.usage().writeBuffers());
      }
      for (int i = 0; i < 64; i++) {
        assertThat(store.get(FAMILY, row(i), Columns.all()).value(0)).hasSize(1 << 20);
      }
      RocksDbMemory.Usage usage = memory.usage();
      assertThat(usage.limit()).isEqualTo(limit);
      assertThat(mostInBuffers).isBetween(limit / 8, limit);
      assertThat(usage.cache()).isBetween(1L, limit);
      assertThat(usage.pinned()).isLessThanOrEqualTo(usage.cache());
      assertThat(usage.tableReaders()).isBetween(0L, limit);
    }
  }

  @Test
  void aCheckpointIsAStoreOfItsOwn() throws IOException {
    Path copy = directory.resolve("backups").resolve("monday");
    try (KeyValueStore store = open(directory.resolve("store"))) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, new byte[] {1});
      Row written = store.get(FAMILY, ROW, Columns.all());
      Checkpoints checkpoints = store.extension(Checkpoints.class).orElseThrow();
      checkpoints.create(copy);
      store.put(FAMILY, ROW, QUALIFIER, new byte[] {2});
      try (KeyValueStore other = open(copy)) {
        Row copied = other.get(FAMILY, ROW, Columns.all());
        assertThat(copied.value(0)).isEqualTo(new byte[] {1});
        assertThat(copied.writeTime(0)).isEqualTo(written.writeTime(0));
      }
      Files.createDirectories(directory.resolve("empty"));
      for (String existing : List.of("backups/monday", "empty")) {
        assertThatThrownBy(() -> checkpoints.create(directory.resolve(existing)))
            .isInstanceOfSatisfying(
                StoreException.class,
                e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
            .hasMessageContaining(existing);
      }
      Path file = Files.writeString(directory.resolve("file"), "x");
      assertThatThrownBy(() -> checkpoints.create(file.resolve("below")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void itIsNamedByItsUri() {
    try (KeyValueStore store = open(directory)) {
      assertThat(store).hasToString("rocksdb:" + directory);
    }
  }

  private KeyValueStore open(Path store) {
    return RocksDbStore.open(
        store, RocksDbOptions.defaults(), new StoreOptions(() -> Instant.ofEpochMilli(now.get())));
  }

  private static void putIfNewer(KeyValueStore store, byte[] row, byte[] qualifier, long time) {
    Change put = new Change.PutIfNewer(qualifier, new byte[2], time);
    store.mutate(FAMILY, List.of(new RowMutation(row, put)));
  }

  private static void create(KeyValueStore store, Family... families) {
    List<FamilySpec> specs = new ArrayList<>();
    for (Family family : families) {
      specs.add(spec(family));
    }
    store.ensure(specs, SchemaMode.CREATE);
  }

  private static FamilySpec spec(Family family) {
    return new FamilySpec(family, false);
  }

  private static byte[] row(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static byte[] join(byte[] left, byte[] right) {
    return ByteBuffer.allocate(left.length + right.length).put(left).put(right).array();
  }
}
