package org.hourstone.testing;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenContract;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testing.golden.GoldenQueryContract;
import org.hourstone.testing.reference.ReferenceContract;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/**
 * Every contract there is, over one store: that of {@link org.hourstone.kv.KeyValueStore}, then
 * those of the engine above it. For a store that is finished; while it is written, {@link
 * KeyValueStoreContract} is the smaller and faster choice, and it is the one that finds a store's
 * faults. Only {@link #open} must be written.
 *
 * <p>The contracts of the engine open the store with a clock that moves on with every reading, as a
 * real one does. Those parts know no deviations.
 */
public abstract class HourstoneContract extends KeyValueStoreContract {
  private KeyValueStore openForEngine(StoreFixture fixture) {
    return open(fixture.ticking());
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
  final class TsdbFailures extends TsdbFailureContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
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
  @Order(17)
  final class Salts extends SaltContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(17)
  final class UidFscks extends UidFsckContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(18)
  final class RowRewritings extends RowRewritingContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(19)
  final class Compactions extends CompactionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(20)
  final class Deletions extends DeletionContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(21)
  final class Fscks extends FsckContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(22)
  final class RowRepairs extends RowRepairContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(23)
  final class HiddenCells extends HiddenCellsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(24)
  final class Copies extends CopyContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(25)
  final class SeriesIndex extends IndexContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(26)
  final class IndexedQueries extends IndexedQueriesContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(27)
  final class Explanations extends ExplainContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(28)
  final class Rollups extends RollupContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(29)
  final class RollupQueries extends RollupQueryContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(30)
  final class Histograms extends HistogramContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(31)
  final class Annotated extends AnnotationsContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(32)
  final class Metadata extends MetadataContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(33)
  final class Trees extends TreeContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(34)
  final class TreeApi extends TreeApiContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(35)
  final class RecordedCells extends GoldenContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(36)
  final class RecordedQueries extends GoldenQueryContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(37)
  final class RecordedHttp extends GoldenHttpContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(38)
  final class ReferenceQueries extends ReferenceContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }
}
