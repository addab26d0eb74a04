package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
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
  void aFullDiskIsToldAndNothingAcknowledgedIsLostAndWritesGoOnOnceThereIsSpace()
      throws IOException, InterruptedException {
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=48m")) {
      Path store = disk.directory().resolve("store");
      RocksDbOptions options = RocksDbOptions.defaults().memory(RocksDbOptions.MIN_MEMORY);
      int acknowledged = 0;
      try (KeyValueStore full = RocksDbStore.open(store, options)) {
        full.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
        Path ballast = Files.write(disk.directory().resolve("ballast"), new byte[16 << 20]);

        StoreException failure = null;
        while (failure == null) {
          failure = put(full, acknowledged);
          acknowledged += failure == null ? 1 : 0;
        }
        assertThat(failure)
            .hasMessageContainingAll(store.toString(), "no space left")
            .hasMessageNotContaining("\n");
        assertThat(failure.outcome()).isIn(Outcome.UNKNOWN, Outcome.NOT_APPLIED);
        assertAllThere(full, acknowledged);

        Files.delete(ballast);
        while (put(full, acknowledged) != null) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        acknowledged++;
        assertAllThere(full, acknowledged);
      }
      try (KeyValueStore again = RocksDbStore.open(store, options)) {
        assertAllThere(again, acknowledged);
      }
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
