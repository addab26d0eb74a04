package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.golden.GoldenHttpContract;

class RocksDbGoldenHttpTest extends GoldenHttpContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
