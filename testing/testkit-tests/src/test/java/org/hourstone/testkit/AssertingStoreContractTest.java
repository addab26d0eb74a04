package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.AssertingStore;
import org.hourstone.testkit.store.ModelStore;

/** The contract closes stores with cursors open, on purpose. */
class AssertingStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return AssertingStore.closedInUse(new ModelStore(fixture.clock()));
  }
}
