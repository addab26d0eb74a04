package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenQueryContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbGoldenQueryTest extends GoldenQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
