package org.hourstone.testing.example;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;

class TinyStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new TinyStore(fixture.clock());
  }
}
