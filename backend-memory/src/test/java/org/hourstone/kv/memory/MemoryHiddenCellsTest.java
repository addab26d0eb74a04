package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.HiddenCellsContract;
import org.hourstone.testkit.StoreFixture;

class MemoryHiddenCellsTest extends HiddenCellsContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
