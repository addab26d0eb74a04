package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.IndexedQueriesContract;
import org.hourstone.testkit.StoreFixture;

class MemoryIndexedQueriesTest extends IndexedQueriesContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
