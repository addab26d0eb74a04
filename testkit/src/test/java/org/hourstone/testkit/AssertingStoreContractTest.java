package org.hourstone.testkit;

import java.util.Map;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.AssertingStore;
import org.hourstone.testkit.store.ModelStore;

class AssertingStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new AssertingStore(new ModelStore(fixture.clock()));
  }

  @Override
  protected Map<String, String> knownDeviations() {
    String reason = "it complains of whatever is still open, see AssertingStore";
    return Map.of(
        "cursorsEndWithAnErrorWhenTheStoreIsClosed", reason,
        "extensionsOfAClosedStoreAreNotUsed", reason);
  }
}
