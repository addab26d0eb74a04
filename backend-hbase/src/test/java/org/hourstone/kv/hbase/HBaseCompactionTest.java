package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.CompactionContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseCompactionTest extends CompactionContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
