package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.IndexedQueriesContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbIndexedQueriesTest extends IndexedQueriesContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
