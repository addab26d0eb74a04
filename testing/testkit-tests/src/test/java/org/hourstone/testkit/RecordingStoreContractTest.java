package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.RecordingStore;

class RecordingStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new RecordingStore(new ModelStore(fixture.clock()));
  }
}
