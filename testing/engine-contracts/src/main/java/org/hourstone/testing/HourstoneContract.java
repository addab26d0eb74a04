package org.hourstone.testing;

import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenContracts;
import org.hourstone.testing.reference.ReferenceContract;
import org.hourstone.testkit.KeyValueStoreContract;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/**
 * Every contract there is, over one store: that of {@link org.hourstone.kv.KeyValueStore}, those of
 * the engine above it, and the comparisons with recordings and with the reference implementation.
 * For a store that is finished; while it is written, {@link KeyValueStoreContract} is the smaller
 * and faster choice, and it is the one that finds a store's faults. Only {@link #open} must be
 * written.
 */
public abstract class HourstoneContract extends EngineContract {
  @Nested
  @Order(43)
  final class Recordings extends GoldenContracts {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }

  @Nested
  @Order(44)
  final class ReferenceQueries extends ReferenceContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      return openForEngine(fixture);
    }
  }
}
