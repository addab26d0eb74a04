package org.hourstone.server;

import org.hourstone.Tsdb;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.golden.GoldenServerContract;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testkit.StoreFixture;

class RocksDbGoldenServerTest extends GoldenServerContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open("rocksdb:" + fixture.directory(), fixture.options());
  }

  @Override
  protected RequestPort serve(Tsdb database) {
    return ServerPort.of(database);
  }
}
