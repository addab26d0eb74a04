package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.NameChangesContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseNameChangesTest extends NameChangesContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
