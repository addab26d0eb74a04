package org.hourstone.testkit;

import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;

/**
 * The whole contract of {@link org.hourstone.kv.KeyValueStore}. A backend's test is one class:
 *
 * <pre>{@code
 * class MyStoreContractTest extends KeyValueStoreContract {
 *   @Override
 *   protected KeyValueStore open(StoreFixture fixture) {
 *     return MyStore.open(fixture.directory(), fixture.options());
 *   }
 *
 *   @Override // for a store that is DURABLE or SHARED
 *   protected String uri(StoreFixture fixture) {
 *     return "mystore:" + fixture.directory();
 *   }
 * }
 * }</pre>
 *
 * <p>Tests of traits that a store does not have are skipped, with the reason. The test methods are
 * final: a deviation is declared in {@link #knownDeviations}, not overridden.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
public abstract class KeyValueStoreContract extends StoreUnderTest {
  @Nested
  @Order(1)
  final class Lifecycle extends LifecycleContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(2)
  final class Reads extends ReadContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(3)
  final class Writes extends WriteContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(3)
  final class WriteTimes extends WriteTimeContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(4)
  final class Failures extends FailureContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(5)
  final class Atomics extends AtomicsContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(5)
  final class Replacements extends ReplacementContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(6)
  final class Scans extends ScanContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(7)
  final class Filters extends FilterContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(8)
  final class Sizes extends SizeContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(9)
  final class Concurrency extends ConcurrencyContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(9)
  final class RowAtomicity extends RowAtomicityContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(9)
  final class ReplacementRaces extends ReplacementRaceContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(10)
  final class Durability extends DurabilityContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(10)
  final class SharedHandles extends SharedHandlesContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(11)
  final class Traits extends TraitContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(11)
  final class Extensions extends ExtensionContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }

  @Nested
  @Order(12)
  final class Model extends ModelContract {
    @Override
    protected StoreUnderTest subject() {
      return KeyValueStoreContract.this;
    }
  }
}
