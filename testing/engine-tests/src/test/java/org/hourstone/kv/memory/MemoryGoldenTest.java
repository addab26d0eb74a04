package org.hourstone.kv.memory;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.golden.GoldenContracts;
import org.hourstone.testing.golden.GoldenHttpContract;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Nested;

class MemoryGoldenTest extends GoldenContracts {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    return MemoryStore.open(fixture.options(), MemoryStore.Promises.FULL);
  }

  /**
   * Over a store with a clock of its own, just after an hour has begun: the recording was farther
   * into its hour.
   */
  @Nested
  final class HttpAfterTheHour extends GoldenHttpContract {
    @Override
    protected KeyValueStore open(StoreFixture fixture) {
      Instant afterTheHour = Instant.parse("2027-03-01T10:02:00Z");
      fixture.clock().advance(Duration.between(fixture.clock().instant(), afterTheHour));
      return MemoryGoldenTest.this.open(fixture);
    }
  }
}
