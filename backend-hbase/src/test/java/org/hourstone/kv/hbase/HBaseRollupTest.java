package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RollupContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseRollupTest extends RollupContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
