package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.RowRewritingContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseRowRewritingTest extends RowRewritingContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }

  @Override
  protected int cases() {
    return 40;
  }
}
