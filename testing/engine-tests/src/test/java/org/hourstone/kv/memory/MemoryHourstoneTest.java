package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.EngineContract;
import org.hourstone.testkit.StoreFixture;

class MemoryHourstoneTest extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open("memory:" + fixture.name(), fixture.options());
  }

  /** Most of the 30,000 of a build, in about 30 seconds of CPU: a step costs least here. */
  @Override
  protected int lifeSteps() {
    return 25_500;
  }

  /** The clock does not tick: the store orders changes of one millisecond. */
  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }
}
