package org.hourstone.kv.hbase;

import java.time.Duration;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;

@NeedsHBase
class HBaseStoreContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open(uri(fixture)); // the servers date cells, by no clock of ours
  }

  /** Fixtures share a cluster and none of its tables: these are named like the fixture. */
  @Override
  protected String uri(StoreFixture fixture) {
    return HBaseProcess.sharedUri();
  }

  /** A server of its own, on processors that other tests use, too. */
  @Override
  protected Duration timeLimit() {
    return Duration.ofMinutes(5);
  }

  @Override
  protected boolean takesFixtureClock() {
    return false;
  }

  /** The server's clock is this machine's. */
  @Override
  protected void passTime(StoreFixture fixture) {
    PacedStore.pass();
  }
}
