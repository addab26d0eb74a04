package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.CopyContract;
import org.hourstone.testkit.StoreFixture;

/** What has a write time of its own is put, read back and replaced with it. */
@NeedsHBase
class HBaseCopyTest extends CopyContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }

  @Override
  protected int kills() {
    return 20;
  }
}
