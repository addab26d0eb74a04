package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RollupQueryContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseRollupQueryTest extends RollupQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
