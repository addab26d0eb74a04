package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.golden.GoldenQueryContract;

@NeedsHBase
class HBaseGoldenQueryTest extends GoldenQueryContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
