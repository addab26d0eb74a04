package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.IndexedQueriesContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseIndexedQueriesTest extends IndexedQueriesContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
