package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.HiddenCellsContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbHiddenCellsTest extends HiddenCellsContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
