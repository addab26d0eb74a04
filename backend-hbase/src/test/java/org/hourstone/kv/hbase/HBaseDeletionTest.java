package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.DeletionContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseDeletionTest extends DeletionContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
