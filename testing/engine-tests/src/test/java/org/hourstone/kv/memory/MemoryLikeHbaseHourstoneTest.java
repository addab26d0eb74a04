package org.hourstone.kv.memory;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.EngineContract;
import org.hourstone.testkit.StoreFixture;

/** The engine needs no more than HBase's promises. */
class MemoryLikeHbaseHourstoneTest extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open("memory:" + fixture.name() + "?like=hbase", fixture.options());
  }

  /**
   * The clock ticks: if two points share a timestamp and are written in one millisecond, it is not
   * known which is newer.
   */
  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return MemoryStore.open(fixture.ticking().options(), MemoryStore.Promises.LIKE_HBASE);
  }

  /** The random cases are those of MemoryHourstoneTest, which plays more of them. */
  @Override
  protected double share() {
    return 0.2;
  }

  @Override
  protected int lifeSteps() {
    return 1_500;
  }
}
