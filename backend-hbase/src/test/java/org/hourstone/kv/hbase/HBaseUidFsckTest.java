package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.UidFsckContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseUidFsckTest extends UidFsckContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
