package org.hourstone.testing.example;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.HourstoneContract;
import org.hourstone.testkit.StoreFixture;

/** The engine runs on the documented example, too. */
class TinyStoreHourstoneTest extends HourstoneContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new TinyStore(fixture.clock());
  }

  /** The random cases are those of all stores, which play more of them. */
  @Override
  protected double share() {
    return 0.2;
  }
}
