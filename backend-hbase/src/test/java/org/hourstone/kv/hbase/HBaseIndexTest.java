package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.IndexContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseIndexTest extends IndexContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
