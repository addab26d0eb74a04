package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreHealth;
import org.hourstone.testing.SmallDisk;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RocksDbDiskFullTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] QUALIFIER = {1};

  @TempDir Path directory;

  private final Random random = new Random(20261121);

  @Test
  @Timeout(120)
  void aFullDiskIsReportedAndNothingAcknowledgedIsLostAndWritesGoOnOnceThereIsSpace()
      throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=48m")) {
      Path store = disk.directory().resolve("store");
      RocksDbOptions options = RocksDbOptions.defaults().memory(RocksDbOptions.MIN_MEMORY);
      int acknowledged = 0;
      try (KeyValueStore full = RocksDbStore.open(store, options)) {
        full.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
        Path ballast = Files.write(disk.directory().resolve("ballast"), new byte[16 << 20]);

        CountDownLatch failed = new CountDownLatch(1);
        FutureTask<Void> room = new FutureTask<>(() -> makeRoom(store, failed, ballast), null);
        new Thread(room).start();
        StoreException failure = null;
        while (failure == null && !room.isDone()) {
          failure = put(full, acknowledged);
          acknowledged += failure == null ? 1 : 0;
        }
        if (failure != null) {
          assertThat(failure)
              .hasMessageContainingAll(store.toString(), "no space left")
              .hasMessageNotContaining("\n");
          assertThat(failure.outcome()).isIn(Outcome.UNKNOWN, Outcome.NOT_APPLIED);
          assertAllThere(full, acknowledged);
        } // else it waited for the flush of the points before it, and went on
        failed.countDown();
        room.get();
        while (failure != null) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          failure = put(full, acknowledged);
          acknowledged += failure == null ? 1 : 0;
        }
        assertThat(health(full).outage()).isNull();
        assertAllThere(full, acknowledged);
      }
      try (KeyValueStore again = RocksDbStore.open(store, options)) {
        assertAllThere(again, acknowledged);
      }
    }
  }

  /** Once a write has failed; or waits, since RocksDB can't flush what was written before it. */
  private static void makeRoom(Path store, CountDownLatch failed, Path ballast) {
    try {
      while (failed.getCount() > 0
          && !Files.readString(store.resolve("LOG"), ISO_8859_1).contains("No space left")) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      boolean waits = !failed.await(10, TimeUnit.SECONDS);
      assertThat(Files.deleteIfExists(ballast)).as("waits: %s", waits).isTrue();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Less is freed than RocksDB itself wants before it writes again, which is 64 MB. */
  @Test
  @Timeout(120)
  void writesGoOnOnceThereIsALittleSpaceAfterALogCouldNotBeBegun() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=40m")) {
      Path store = disk.directory().resolve("store");
      Path crashed = directory.resolve("crashed");
      RocksDbOptions options = RocksDbOptions.defaults().memory(RocksDbOptions.MIN_MEMORY);
      int rows = 0;
      try (KeyValueStore full = RocksDbStore.open(store, options)) {
        full.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
        for (; rows < 10; rows++) {
          assertThat(put(full, rows)).isNull();
        }
        try (RowCursor cursor = full.scan(FAMILY, Scan.all())) {
          assertThat(cursor.next()).isNotNull();
          Path freed = Files.write(disk.directory().resolve("freed"), new byte[10 << 20]);
          fill(disk.directory().resolve("ballast"));
          beginLog(full);
          assertThat(put(full, rows))
              .hasMessageContainingAll(store.toString(), "writes are refused: ", "no space left")
              .extracting(StoreException::outcome)
              .isEqualTo(Outcome.NOT_APPLIED);
          assertThat(health(full).outage()).asString().contains("no space left on the device");
          assertAllThere(full, rows);
          StoreDirectory.copy(store, crashed); // as SIGKILL leaves it
          Files.delete(freed);
          awaitWrites(full, rows++);
          for (int row = 1; row < rows; row++) {
            assertThat(cursor.next()).as("row %d of the scan", row).isNotNull();
          }
        }
        assertAllThere(full, rows);
      }
      assertWritesGoOn(store, options, rows);
      assertWritesGoOn(crashed, options, rows - 1);
    }
  }

  /** Idle clients, for example, take all descriptors. */
  @Test
  @Timeout(120)
  void writesGoOnOnceThereAreFileDescriptors() throws Exception {
    Path store = directory.resolve("store");
    RocksDbOptions options = RocksDbOptions.defaults();
    try (KeyValueStore full = RocksDbStore.open(store, options)) {
      full.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
      assertThat(put(full, 0)).isNull();
      assertAllThere(full, 1);
      try (Descriptors all = Descriptors.all()) {
        assertThat(all.count()).isPositive();
        beginLog(full);
        assertThat(put(full, 1)).hasMessageContaining("Too many open files");
        assertAllThere(full, 1);
      }
      awaitWrites(full, 1);
      assertAllThere(full, 2);
    }
    assertWritesGoOn(store, options, 2);
  }

  /** A checkpoint begins a log, here in vain. */
  private void beginLog(KeyValueStore store) {
    Checkpoints checkpoints = store.extension(Checkpoints.class).orElseThrow();
    assertThatThrownBy(() -> checkpoints.create(directory.resolve("checkpoint")))
        .isInstanceOf(StoreException.class);
  }

  private void awaitWrites(KeyValueStore store, int row) {
    while (put(store, row) != null) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertThat(health(store).outage()).isNull();
  }

  private static StoreHealth health(KeyValueStore store) {
    return store.extension(StoreHealth.class).orElseThrow();
  }

  private void assertWritesGoOn(Path store, RocksDbOptions options, int rows) {
    for (int row = rows; row <= rows + 2; row++) {
      try (KeyValueStore again = RocksDbStore.open(store, options)) {
        assertAllThere(again, row);
        assertThat(put(again, row)).isNull();
        assertAllThere(again, row + 1);
      }
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[512]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** Null if the row was acknowledged. */
  private @Nullable StoreException put(KeyValueStore store, int row) {
    byte[] value = new byte[20_000];
    random.nextBytes(value);
    try {
      store.put(FAMILY, row(row), QUALIFIER, value);
      return null;
    } catch (StoreException e) {
      return e;
    }
  }

  private static void assertAllThere(KeyValueStore store, int rows) {
    for (int i = 0; i < rows; i++) {
      assertThat(store.get(FAMILY, row(i), Columns.all()).size()).as("row %d", i).isEqualTo(1);
    }
  }

  private static byte[] row(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
