package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.TsdbFailureContract;
import org.hourstone.testkit.StoreFixture;

/** Which of two points of one instant is newer is not known if they come in one millisecond. */
@NeedsHBase
class HBaseTsdbFailureTest extends TsdbFailureContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
