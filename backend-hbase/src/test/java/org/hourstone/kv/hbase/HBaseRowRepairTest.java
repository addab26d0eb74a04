package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RowRepairContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseRowRepairTest extends RowRepairContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
