package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RollupQueryContract;
import org.hourstone.testkit.StoreFixture;

class MemoryRollupQueryTest extends RollupQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
