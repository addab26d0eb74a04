package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.ModelStore;

class ModelStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new ModelStore(fixture.clock());
  }
}
