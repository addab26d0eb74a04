package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;

/** The contract of stores, with cells of a row that are coded together. */
class CodedRowsContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new CodingStore(store(fixture), fixture.options(), new MirrorsCodec());
  }

  @Override
  protected String uri(StoreFixture fixture) {
    return "rocksdb:" + store(fixture);
  }

  @Override
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    return new CodingStore(copy, fixture.options(), new MirrorsCodec());
  }

  private static Path store(StoreFixture fixture) {
    return fixture.directory().resolve(fixture.name());
  }
}
