package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;

/** A durable store, so that the tests for durable stores are run. */
class JournalStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return JournalStore.open(fixture.directory(), fixture.options());
  }

  @Override
  protected String uri(StoreFixture fixture) {
    return "journal:" + fixture.directory();
  }
}
