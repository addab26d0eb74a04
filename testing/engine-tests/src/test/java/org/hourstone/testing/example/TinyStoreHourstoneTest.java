package org.hourstone.testing.example;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.DiskReserveContract;
import org.hourstone.testing.ExplainContract;
import org.hourstone.testing.FlushIntervalContract;
import org.hourstone.testing.HeadContract;
import org.hourstone.testing.HeadFaultContract;
import org.hourstone.testing.HeadRandomContract;
import org.hourstone.testing.HeadReadersContract;
import org.hourstone.testing.HeadSharingContract;
import org.hourstone.testing.HeadVisibilityContract;
import org.hourstone.testing.HourstoneContract;
import org.hourstone.testing.ImportContract;
import org.hourstone.testing.LeavesOut;
import org.hourstone.testing.RollupQueryContract;
import org.hourstone.testing.SaltContract;
import org.hourstone.testing.TreeApiContract;
import org.hourstone.testing.TreeContract;
import org.hourstone.testing.TsdbFailureContract;
import org.hourstone.testing.WriterCompactionContract;
import org.hourstone.testing.WriterFaultContract;
import org.hourstone.testing.WriterTakeoverContract;
import org.hourstone.testing.index.IndexAnnouncementContract;
import org.hourstone.testing.index.IndexContract;
import org.hourstone.testing.index.IndexRebuildContract;
import org.hourstone.testing.index.IndexedQueriesContract;
import org.hourstone.testing.index.SeriesLimitContract;
import org.hourstone.testing.names.UidFsckRandomContract;
import org.hourstone.testing.reference.ReferenceContract;
import org.hourstone.testkit.StoreFixture;

/**
 * The engine runs on the documented example, too. MemoryLikeHbaseHourstoneTest runs what is left
 * out on a store that promises as little.
 */
@LeavesOut({
  DiskReserveContract.class,
  ExplainContract.class,
  FlushIntervalContract.class,
  HeadContract.class,
  HeadFaultContract.class,
  HeadRandomContract.class,
  HeadReadersContract.class,
  HeadSharingContract.class,
  HeadVisibilityContract.class,
  ReferenceContract.class,
  ImportContract.class,
  IndexAnnouncementContract.class,
  IndexContract.class,
  IndexRebuildContract.class,
  IndexedQueriesContract.class,
  RollupQueryContract.class,
  SaltContract.class,
  SeriesLimitContract.class,
  TreeApiContract.class,
  TreeContract.class,
  TsdbFailureContract.class,
  UidFsckRandomContract.class,
  WriterCompactionContract.class,
  WriterFaultContract.class,
  WriterTakeoverContract.class
})
class TinyStoreHourstoneTest extends HourstoneContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new TinyStore(fixture.clock());
  }

  /** The random cases are those of all stores, which play more of them. */
  @Override
  protected double share() {
    return 0.1;
  }

  @Override
  protected int lifeSteps() {
    return 300;
  }
}
