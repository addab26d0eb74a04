package org.hourstone.junit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of a test's database: it stands still until the test sets it. Relative times such as
 * {@code 1h-ago}, retention and the server's jobs go by it. Thread-safe.
 */
public final class TestClock implements InstantSource {
  private volatile Instant time;

  TestClock(Instant start) {
    time = start;
  }

  @Override
  public Instant instant() {
    return time;
  }

  /** Sets the time, also to an earlier one. */
  public synchronized void set(Instant to) {
    time = to;
  }

  /** Moves the time forward, or back by a negative duration. */
  public synchronized void advance(Duration by) {
    time = time.plus(by);
  }

  @Override
  public String toString() {
    return time.toString();
  }
}
