package org.hourstone.testing.life;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.hourstone.testkit.ManualClock;

/**
 * The clock of a database in a {@link Life}: it stands still unless it is moved, although that of
 * the store ticks, so that no hour ends while threads are at work. Thread-safe.
 */
final class LifeClock implements InstantSource {
  private final ManualClock ofStore;
  private volatile Instant now;
  private Instant latest = Instant.EPOCH;

  LifeClock(ManualClock ofStore) {
    this.ofStore = ofStore;
    this.now = ofStore.instant();
  }

  /** Moves both; by a negative duration back. */
  void advance(Duration by) {
    latest = now.isAfter(latest) ? now : latest;
    ofStore.advance(by);
    now = ofStore.instant();
  }

  /** Whether it has shown a later time than now. */
  boolean wasLater() {
    return latest.isAfter(now);
  }

  @Override
  public Instant instant() {
    return now;
  }

  ManualClock ofStore() {
    return ofStore;
  }
}
