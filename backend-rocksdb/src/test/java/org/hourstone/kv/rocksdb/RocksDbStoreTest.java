package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.kv.StoreMetrics.Metric;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

/** What is RocksDB's own of the store, beyond the contract of all stores. */
class RocksDbStoreTest extends RocksDbCase {
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
  void itsFiguresAreThoseOfRocksDb() {
    try (KeyValueStore store = RocksDbStore.open(directory, RocksDbOptions.defaults())) {
      create(store, FAMILY);
      StoreMetrics metrics = store.extension(StoreMetrics.class).orElseThrow();
      Map<String, Long> before = values(metrics);
      store.put(FAMILY, ROW, QUALIFIER, new byte[1 << 20]);

      assertThat(values(metrics))
          .containsOnlyKeys(before.keySet())
          .containsEntry("rocksdb_cache_limit_bytes", RocksDbOptions.defaults().memory())
          .containsEntry("rocksdb_writes_stopped", 0L)
          .containsEntry("rocksdb_write_stalls_total", 0L)
          .hasEntrySatisfying(
              "rocksdb_write_buffer_bytes",
              bytes ->
                  assertThat(bytes)
                      .isGreaterThan(before.getOrDefault("rocksdb_write_buffer_bytes", 0L)));
    }
  }

  private static Map<String, Long> values(StoreMetrics metrics) {
    return metrics.metrics().stream().collect(Collectors.toMap(Metric::name, Metric::value));
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
}
