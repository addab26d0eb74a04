package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.DeletionContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbDeletionTest extends DeletionContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
