package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.RowMendingContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseRowMendingTest extends RowMendingContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
