package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.TreeContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseTreeTest extends TreeContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
