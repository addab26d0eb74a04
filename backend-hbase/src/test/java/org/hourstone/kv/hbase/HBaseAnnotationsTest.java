package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.AnnotationsContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseAnnotationsTest extends AnnotationsContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
