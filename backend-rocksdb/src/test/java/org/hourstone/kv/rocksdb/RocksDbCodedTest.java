package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.DiskReserveContract;
import org.hourstone.testing.EngineContract;
import org.hourstone.testing.ExplainContract;
import org.hourstone.testing.FlushIntervalContract;
import org.hourstone.testing.HeadContract;
import org.hourstone.testing.HeadFaultContract;
import org.hourstone.testing.HeadRandomContract;
import org.hourstone.testing.HeadReadersContract;
import org.hourstone.testing.HeadSharingContract;
import org.hourstone.testing.HeadVisibilityContract;
import org.hourstone.testing.ImportContract;
import org.hourstone.testing.LeavesOut;
import org.hourstone.testing.MetadataContract;
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
import org.hourstone.testing.names.InterruptedNameChangesContract;
import org.hourstone.testing.names.NameChangesContract;
import org.hourstone.testing.names.UidContract;
import org.hourstone.testing.names.UidFsckContract;
import org.hourstone.testing.names.UidFsckRandomContract;
import org.hourstone.testkit.StoreFixture;

/**
 * The contracts, with every cell coded that may be. Only cells of points and rollups are coded for
 * the engine: what is left out has none, or reads and writes them as others do;
 * RocksDbHourstoneTest runs all.
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
  ImportContract.class,
  IndexAnnouncementContract.class,
  IndexContract.class,
  IndexRebuildContract.class,
  IndexedQueriesContract.class,
  InterruptedNameChangesContract.class,
  MetadataContract.class,
  NameChangesContract.class,
  RollupQueryContract.class,
  SaltContract.class,
  SeriesLimitContract.class,
  TreeApiContract.class,
  TreeContract.class,
  TsdbFailureContract.class,
  UidContract.class,
  UidFsckContract.class,
  UidFsckRandomContract.class,
  WriterCompactionContract.class,
  WriterFaultContract.class,
  WriterTakeoverContract.class
})
class RocksDbCodedTest extends EngineContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return new CodingStore(store(fixture), fixture.options(), new MirrorCodec());
  }

  @Override
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return new CodingStore(fixture.directory(), fixture.options(), new MirrorCodec());
  }

  @Override
  protected String uri(StoreFixture fixture) {
    return "rocksdb:" + store(fixture);
  }

  @Override
  protected KeyValueStore openCheckpoint(Path copy, StoreFixture fixture) {
    return new CodingStore(copy, fixture.options(), new MirrorCodec());
  }

  private static Path store(StoreFixture fixture) {
    return fixture.directory().resolve(fixture.name());
  }

  /** The random cases are those of RocksDbHourstoneTest, which plays more of them. */
  @Override
  protected double share() {
    return 0.2;
  }

  @Override
  protected int lifeSteps() {
    return 300;
  }
}
