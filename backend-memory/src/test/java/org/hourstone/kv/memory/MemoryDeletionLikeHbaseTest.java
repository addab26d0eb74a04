package org.hourstone.kv.memory;

import java.time.Duration;
import java.time.InstantSource;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreOptions;
import org.hourstone.testing.DeletionContract;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;

/**
 * The engine makes do with HBase's promises. The clock moves whenever it is read: which of two
 * points of one instant is newer is not known if they are written in one millisecond.
 */
class MemoryDeletionLikeHbaseTest extends DeletionContract {
  @Override
  protected KeyValueStore open(StoreFixture fixture) {
    ManualClock clock = fixture.clock();
    InstantSource moving =
        () -> {
          clock.advance(Duration.ofMillis(1));
          return clock.instant();
        };
    return MemoryStore.open(new StoreOptions(moving), MemoryStore.Promises.LIKE_HBASE);
  }
}
