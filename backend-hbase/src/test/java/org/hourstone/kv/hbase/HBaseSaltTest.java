package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.SaltContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseSaltTest extends SaltContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
