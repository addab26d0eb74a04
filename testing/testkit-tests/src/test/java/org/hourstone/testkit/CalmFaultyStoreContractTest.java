package org.hourstone.testkit;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;

/** Without faults in its plan, a faulty store is as good as the one behind it. */
class CalmFaultyStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new FaultyStore(new ModelStore(fixture.clock()), new FaultPlan(fixture.seed()));
  }
}
