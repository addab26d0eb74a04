package org.hourstone.kv.memory;

import java.time.Duration;
import java.time.InstantSource;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreOptions;
import org.hourstone.testing.CompactionContract;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;

/** As {@link MemoryRowRewritingLikeHbaseTest}. */
class MemoryCompactionLikeHbaseTest extends CompactionContract {
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
