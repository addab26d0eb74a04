package org.hourstone.testing;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.index.IndexAnnouncementContract;
import org.hourstone.testing.index.IndexContract;
import org.hourstone.testing.index.IndexRebuildContract;
import org.hourstone.testing.index.IndexedQueriesContract;
import org.hourstone.testing.index.OlderIndexContract;
import org.hourstone.testing.index.SeriesLimitContract;
import org.hourstone.testing.life.LifeContract;
import org.hourstone.testing.names.InterruptedNameChangesContract;
import org.hourstone.testing.names.NameChangesContract;
import org.hourstone.testing.names.UidContract;
import org.hourstone.testing.names.UidFsckContract;
import org.hourstone.testing.names.UidFsckRandomContract;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/**
 * The contract of {@link org.hourstone.kv.KeyValueStore}, then those of the engine above it. It
 * leaves out the comparisons with recordings and with the reference implementation, which {@link
 * HourstoneContract} adds: a backend may run these as classes of their own, to select them by name.
 * Only {@link #open} must be written.
 *
 * <p>{@link #knownDeviations} and {@link #timeLimit} apply to the contract of the store, not to
 * those of the engine.
 */
public abstract class EngineContract extends KeyValueStoreContract {
  /**
   * Opens the store, empty, for a contract of the engine. Unless overridden, its clock ticks with
   * every reading, as a real one does. A store that orders changes of one millisecond may be given
   * the fixture's clock as it is, which is the harder test.
   */
  protected KeyValueStore openForEngine(StoreFixture fixture) {
    return open(fixture.ticking());
  }

  /**
   * As {@link #openForEngine}, for contracts that compare times assigned by the store with the
   * fixture's clock. A store with a clock of its own moves the fixture's clock to its time.
   */
  protected KeyValueStore openAtStoreTime(StoreFixture fixture) {
    return openForEngine(fixture);
  }

  /** The share of random cases that is played: {@link RepeatedCases#share}. */
  protected double share() {
    return 1;
  }

  /** The number of steps of {@link LifeContract} in a build. */
  protected int lifeSteps() {
    return LifeContract.STEPS;
  }

  @Nested
  @Order(12)
  final class Tsdb extends TsdbContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(13)
  final class GatheredPoints extends SeriesPointsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(13)
  final class TsdbFailures extends TsdbFailureContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(14)
  final class Imports extends ImportContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(15)
  final class OpenRows extends OpenRowsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(15)
  final class OpenRowsAtRandom extends OpenRowsCheckerContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(15)
  final class DiskReserves extends DiskReserveContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(15)
  final class FlushIntervals extends FlushIntervalContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(16)
  final class Uids extends UidContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(17)
  final class NameChanges extends NameChangesContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(18)
  final class InterruptedNameChanges extends InterruptedNameChangesContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(19)
  final class Salts extends SaltContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(20)
  final class UidFscks extends UidFsckContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(20)
  final class RandomUidFscks extends UidFsckRandomContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(21)
  final class RowRewritings extends RowRewritingContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(22)
  final class Compactions extends CompactionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(22)
  final class AppendCompactions extends AppendCompactionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(23)
  final class Deletions extends DeletionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(24)
  final class Fscks extends FsckContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(25)
  final class RowRepairs extends RowRepairContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(26)
  final class HiddenCells extends HiddenCellsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(27)
  final class Copies extends CopyContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(28)
  final class CopyConflicts extends CopyConflictContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(29)
  final class SeriesIndex extends IndexContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(30)
  final class IndexRebuilds extends IndexRebuildContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(30)
  final class OlderIndexes extends OlderIndexContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(31)
  final class IndexAnnouncements extends IndexAnnouncementContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(31)
  final class SeriesLimits extends SeriesLimitContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(32)
  final class IndexedQueries extends IndexedQueriesContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(33)
  final class Explanations extends ExplainContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(34)
  final class Rollups extends RollupContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(35)
  final class RollupQueries extends RollupQueryContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(35)
  final class RollupsOfItsOwn extends OwnRollupsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(36)
  final class Histograms extends HistogramContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(37)
  final class Annotated extends AnnotationsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(38)
  final class Metadata extends MetadataContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openAtStoreTime(fixture);
    }
  }

  @Nested
  @Order(39)
  final class Trees extends TreeContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(40)
  final class TreeApi extends TreeApiContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(41)
  final class Head extends HeadContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(41)
  final class HeadReaders extends HeadReadersContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(41)
  final class HeadVisibility extends HeadVisibilityContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class HeadFaults extends HeadFaultContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class HeadReplays extends HeadReplayContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class RandomHeads extends HeadRandomContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    public double share() {
      return EngineContract.this.share();
    }
  }

  @Nested
  @Order(43)
  final class LifeOfData extends LifeContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }

    @Override
    protected int steps() {
      return lifeSteps();
    }
  }

  @Nested
  @Order(42)
  final class WriterJournals extends WriterJournalContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class WriterTakeovers extends WriterTakeoverContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class WriterFaults extends WriterFaultContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(42)
  final class WriterCompactions extends WriterCompactionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(41)
  final class HeadSharing extends HeadSharingContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }
}
