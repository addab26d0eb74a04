package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreOptions;
import org.junit.jupiter.api.io.TempDir;

/** Stores in a directory of their own, whose clock the test sets. */
abstract class RocksDbCase {
  static final Family FAMILY = new Family("tsdb", "t");
  static final byte[] ROW = "row".getBytes(UTF_8);
  static final byte[] QUALIFIER = {1, 2};
  static final long SEED = 20261121;

  @TempDir Path directory;

  final AtomicLong now = new AtomicLong(1_795_000_000_000L);

  KeyValueStore open(Path store) {
    return RocksDbStore.open(
        store, RocksDbOptions.defaults(), new StoreOptions(() -> Instant.ofEpochMilli(now.get())));
  }

  static void putIfNewer(KeyValueStore store, byte[] row, byte[] qualifier, long time) {
    Change put = new Change.PutIfNewer(qualifier, new byte[2], time);
    store.mutate(FAMILY, List.of(new RowMutation(row, put)));
  }

  static void create(KeyValueStore store, Family... families) {
    List<FamilySpec> specs = new ArrayList<>();
    for (Family family : families) {
      specs.add(spec(family));
    }
    store.ensure(specs, SchemaMode.CREATE);
  }

  static FamilySpec spec(Family family) {
    return new FamilySpec(family, false);
  }

  static byte[] row(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  static byte[] join(byte[] left, byte[] right) {
    return ByteBuffer.allocate(left.length + right.length).put(left).put(right).array();
  }

  static RowMutation put(byte[] row, byte[] qualifier) {
    return new RowMutation(row, new Change.Put(qualifier, new byte[] {1}));
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
