package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.FlushIntervalContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseFlushIntervalTest extends FlushIntervalContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
