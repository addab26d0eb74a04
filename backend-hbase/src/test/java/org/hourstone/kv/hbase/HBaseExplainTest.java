package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.ExplainContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseExplainTest extends ExplainContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
