package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RowRewritingContract;
import org.hourstone.testkit.StoreFixture;

class MemoryRowRewritingTest extends RowRewritingContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
