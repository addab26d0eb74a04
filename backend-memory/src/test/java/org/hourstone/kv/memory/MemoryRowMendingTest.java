package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.RowMendingContract;
import org.hourstone.testkit.StoreFixture;

class MemoryRowMendingTest extends RowMendingContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
