package org.hourstone.kv.rocksdb;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.MetadataContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbMetadataTest extends MetadataContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return RocksDbStore.open(fixture.directory(), RocksDbOptions.defaults(), fixture.options());
  }
}
