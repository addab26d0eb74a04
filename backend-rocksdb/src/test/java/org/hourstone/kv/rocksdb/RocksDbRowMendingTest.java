package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.RowMendingContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbRowMendingTest extends RowMendingContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
