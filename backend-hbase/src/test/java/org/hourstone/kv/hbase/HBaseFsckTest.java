package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.FsckContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseFsckTest extends FsckContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }

  /** Each has cells of given times, after which a table has to be truncated. */
  @Override
  protected int randomTables() {
    return 3;
  }
}
