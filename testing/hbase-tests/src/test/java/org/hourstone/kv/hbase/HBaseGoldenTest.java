package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenContracts;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testkit.StoreFixture;

/**
 * The recordings were made at a pace at which no two writes fell into one millisecond; neither do
 * these.
 */
@NeedsHBase
class HBaseGoldenTest extends GoldenContracts {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open();
  }

  @Override
  protected KeyValueStore openForCells(StoreFixture fixture) {
    return SharedTables.openAlone();
  }

  @Override
  protected KeyValueStore openForHttp(StoreFixture fixture) {
    GoldenHttpContract.awaitTimeInTheHour();
    return SharedTables.open(fixture);
  }
}
