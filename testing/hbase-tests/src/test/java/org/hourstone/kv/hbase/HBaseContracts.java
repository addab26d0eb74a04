package org.hourstone.kv.hbase;

import java.time.Duration;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.testing.DiskReserveContract;
import org.hourstone.testing.EngineContract;
import org.hourstone.testing.ExplainContract;
import org.hourstone.testing.ImportContract;
import org.hourstone.testing.LeavesOut;
import org.hourstone.testing.RollupQueryContract;
import org.hourstone.testing.TreeApiContract;
import org.hourstone.testing.TsdbFailureContract;
import org.hourstone.testing.index.IndexedQueriesContract;
import org.hourstone.testing.index.SeriesLimitContract;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.PacedStore;

/**
 * The contracts of the engine on HBase, in parts: most of their time they wait for servers, so
 * several JVMs, each with an HBase of its own, run a part each. HBase matters by its times, its
 * conditional changes, its scans and its faults; what is left out tests what is done with rows that
 * were read, or limits of the engine.
 */
@LeavesOut({
  DiskReserveContract.class,
  ExplainContract.class,
  ImportContract.class,
  IndexedQueriesContract.class,
  RollupQueryContract.class,
  SeriesLimitContract.class,
  TreeApiContract.class,
  TsdbFailureContract.class
})
@NeedsHBase
abstract class HBaseContracts extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return KeyValueStores.open(uri(fixture)); // the servers date cells, not the fixture's clock
  }

  /**
   * No two writes share a millisecond: if two points share a timestamp and are written in one
   * millisecond, it is not known which is newer.
   */
  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return SharedTables.open();
  }

  @Override
  protected KeyValueStore openAtStoreTime(StoreFixture fixture) {
    return SharedTables.open(fixture);
  }

  /**
   * Fixtures share a cluster, but no tables: these are named like the fixture. A row of 100,000
   * cells may take minutes of a server beside which other tests run.
   */
  @Override
  protected String uri(StoreFixture fixture) {
    return HBaseProcess.sharedUri() + "?timeout=4m";
  }

  /** The server is a process of its own, on processors that other tests also use. */
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

  @Override
  protected double share() {
    return 0.15;
  }

  @Override
  protected boolean checksScans() {
    return false; // the servers read the rows
  }
}
