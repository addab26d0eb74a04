package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.TreeApiContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseTreeApiTest extends TreeApiContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
