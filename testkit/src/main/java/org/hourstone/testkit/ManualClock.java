package org.hourstone.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that does not advance until it is moved, or ticks with every reading. Thread-safe. */
public final class ManualClock implements InstantSource {
  private final AtomicLong millis;
  private final int tick;

  public ManualClock(Instant start) {
    this(new AtomicLong(start.toEpochMilli()), 0);
  }

  private ManualClock(AtomicLong millis, int tick) {
    this.millis = millis;
    this.tick = tick;
  }

  /** The same clock, advanced by a millisecond by every reading of the returned one. */
  public ManualClock ticking() {
    return new ManualClock(millis, 1);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return millis.addAndGet(tick);
  }

  /** Moves the clock forward; by a negative duration back. */
  public void advance(Duration duration) {
    millis.addAndGet(duration.toMillis());
  }
}
