package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.TsdbFailureContract;
import org.hourstone.testkit.StoreFixture;

class MemoryTsdbFailureTest extends TsdbFailureContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
