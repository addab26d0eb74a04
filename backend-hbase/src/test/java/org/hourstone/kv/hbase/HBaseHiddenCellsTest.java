package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.HiddenCellsContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseHiddenCellsTest extends HiddenCellsContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
