package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.reference.ReferenceContract;
import org.hourstone.testkit.StoreFixture;

class MemoryReferenceTest extends ReferenceContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
