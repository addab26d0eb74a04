package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.UidContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseUidTest extends UidContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
