package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testkit.StoreFixture;

class MemoryGoldenHttpTest extends GoldenHttpContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
