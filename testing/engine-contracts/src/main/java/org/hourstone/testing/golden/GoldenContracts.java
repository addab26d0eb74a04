package org.hourstone.testing.golden;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Nested;

/**
 * The contracts that replay recordings, over one store. A part and its whole have "Golden" in their
 * names, which selects them on the command line.
 */
public abstract class GoldenContracts {
  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /** As {@link #open}, for the recordings of cells: some hundred stores. */
  protected KeyValueStore openForCells(StoreFixture fixture) {
    return open(fixture);
  }

  /** As {@link #open}, for the recordings of requests, which see the store's time. */
  protected KeyValueStore openForHttp(StoreFixture fixture) {
    return open(fixture);
  }

  @Nested
  final class Cells extends GoldenContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForCells(fixture);
    }
  }

  @Nested
  final class Queries extends GoldenQueryContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return GoldenContracts.this.open(fixture);
    }
  }

  @Nested
  final class Http extends GoldenHttpContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForHttp(fixture);
    }
  }
}
