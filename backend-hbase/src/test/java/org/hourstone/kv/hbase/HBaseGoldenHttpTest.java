package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseGoldenHttpTest extends GoldenHttpContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    awaitTimeInTheHour();
    return SharedTables.open(fixture);
  }
}
