package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenQueryContract;
import org.hourstone.testkit.StoreFixture;

class MemoryGoldenQueryTest extends GoldenQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
