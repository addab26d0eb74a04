package org.hourstone.kv.rocksdb;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreOptions;
import org.hourstone.testing.golden.GoldenContracts;
import org.hourstone.testkit.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class RocksDbGoldenTest extends GoldenContracts {
  private static @Nullable InstantSource clock;
  private static @Nullable KeyValueStore shared;

  @BeforeAll
  static void openStore(@TempDir Path directory) {
    StoreOptions options = new StoreOptions(() -> requireNonNull(clock).instant());
    clock = InstantSource.system();
    shared = RocksDbStore.open(directory, RocksDbOptions.defaults(), options);
  }

  @AfterAll
  static void closeStore() {
    requireNonNull(shared).close();
  }

  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }

  /** One store, emptied for each scenario: making one waits for the disk thirty times. */
  @Override
  protected KeyValueStore openForCells(StoreFixture fixture) {
    KeyValueStore store = requireNonNull(shared);
    store.families().forEach(family -> empty(store, family));
    clock = fixture.clock();
    return new ForwardingStore(store) {
      @Override
      public void close() {} // the next scenario uses it
    };
  }

  private static void empty(KeyValueStore store, Family family) {
    List<RowMutation> deletions = new ArrayList<>();
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        deletions.add(new RowMutation(row.key(), new Change.DeleteRow()));
      }
    }
    store.mutate(family, deletions);
  }
}
