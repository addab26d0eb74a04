package org.hourstone.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told to move. Thread-safe. */
public final class ManualClock implements InstantSource {
  private final AtomicLong millis;

  public ManualClock(Instant start) {
    millis = new AtomicLong(start.toEpochMilli());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }

  /** Moves the clock forward; by a negative duration back. */
  public void advance(Duration duration) {
    millis.addAndGet(duration.toMillis());
  }
}
