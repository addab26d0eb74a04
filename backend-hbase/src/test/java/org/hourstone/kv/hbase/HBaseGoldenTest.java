package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenContract;
import org.hourstone.testkit.StoreFixture;

/**
 * The recordings were made at a pace at which no two writes fell into one millisecond; neither do
 * these.
 */
@NeedsHBase
class HBaseGoldenTest extends GoldenContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }
}
