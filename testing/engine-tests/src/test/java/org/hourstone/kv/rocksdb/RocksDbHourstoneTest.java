package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.EngineContract;
import org.hourstone.testkit.StoreFixture;

class RocksDbHourstoneTest extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return open(store(fixture), fixture);
  }

  /** The clock does not tick: the store orders changes of one millisecond. */
  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return open(fixture.directory(), fixture);
  }

  @Override
  protected String uri(StoreFixture fixture) {
    return "rocksdb:" + store(fixture);
  }

  @Override
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    return open(copy, fixture);
  }

  /**
   * The random cases are those of MemoryHourstoneTest, which plays all: they cost twice as much.
   */
  @Override
  protected double share() {
    return 0.5;
  }

  @Override
  protected int lifeSteps() {
    return 2_400;
  }

  private static Path store(StoreFixture fixture) {
    return fixture.directory().resolve(fixture.name());
  }

  private static KeyValueStore open(Path directory, StoreFixture fixture) {
    return RocksDbStore.open(directory, RocksDbOptions.defaults(), fixture.options());
  }
}
