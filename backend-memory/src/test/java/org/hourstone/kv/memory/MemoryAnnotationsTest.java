package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.AnnotationsContract;
import org.hourstone.testkit.StoreFixture;

class MemoryAnnotationsTest extends AnnotationsContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
