package org.hourstone.testkit;

import org.junit.jupiter.api.Nested;

/**
 * The whole contract of {@link org.hourstone.kv.KeyValueStore}. A backend's test is one class with
 * one method:
 *
 * <pre>{@code
 * class MyStoreContractTest extends KeyValueStoreContract {
 *   @Override
 *   protected KeyValueStore open(StoreFixture fixture) {
 *     return MyStore.open(fixture.directory(), fixture.options());
 *   }
 * }
 * }</pre>
 *
 * <p>Tests of what a store does not promise are skipped, saying so. The test methods are final: a
 * deviation is declared in {@link #knownDeviations}, not overridden.
 */
public abstract class KeyValueStoreContract extends StoreUnderTest {
  @Nested
  final class Reads extends ReadContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Writes extends WriteContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Scans extends ScanContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Filters extends FilterContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Atomics extends AtomicsContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Concurrency extends ConcurrencyContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Lifecycle extends LifecycleContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Durability extends DurabilityContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Traits extends TraitContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  final class Model extends ModelContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }
}
