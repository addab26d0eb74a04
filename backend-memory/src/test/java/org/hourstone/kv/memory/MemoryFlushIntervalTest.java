package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.FlushIntervalContract;
import org.hourstone.testkit.StoreFixture;

class MemoryFlushIntervalTest extends FlushIntervalContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
