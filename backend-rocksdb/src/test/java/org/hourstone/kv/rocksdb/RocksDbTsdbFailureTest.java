package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.TsdbFailureContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbTsdbFailureTest extends TsdbFailureContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
