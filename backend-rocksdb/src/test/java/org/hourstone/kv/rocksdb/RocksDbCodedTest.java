package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.EngineContract;
import org.hourstone.testkit.StoreFixture;

/** The contracts, with every cell coded that may be. */
class RocksDbCodedTest extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new CodingStore(store(fixture), fixture.options(), new MirrorCodec());
  }

  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return new CodingStore(fixture.directory(), fixture.options(), new MirrorCodec());
  }

  @Override
  protected String uri(StoreFixture fixture) {
    return "rocksdb:" + store(fixture);
  }

  @Override
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    return new CodingStore(copy, fixture.options(), new MirrorCodec());
  }

  private static Path store(StoreFixture fixture) {
    return fixture.directory().resolve(fixture.name());
  }

  /** The random cases are those of RocksDbHourstoneTest, which plays more of them. */
  @Override
  protected double share() {
    return 0.2;
  }
}
