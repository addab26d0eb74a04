package org.hourstone.kv.hbase;

import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.HistogramContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseHistogramTest extends HistogramContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }
}
