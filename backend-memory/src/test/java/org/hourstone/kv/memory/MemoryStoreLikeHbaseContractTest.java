package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;

class MemoryStoreLikeHbaseContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open("memory:" + fixture.name() + "?like=hbase", fixture.options());
  }
}
