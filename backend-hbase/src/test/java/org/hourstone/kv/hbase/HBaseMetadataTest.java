package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.MetadataContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseMetadataTest extends MetadataContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
