package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenQueryContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseGoldenQueryTest extends GoldenQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
