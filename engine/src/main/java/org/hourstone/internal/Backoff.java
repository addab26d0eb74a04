package org.hourstone.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** How long to wait before a call that the store failed to apply is repeated. */
@FunctionalInterface
public interface Backoff {
  /**
   * Waits before another attempt; returns early if the thread is interrupted.
   *
   * @param failures how many attempts have failed, at least 1
   */
  void pause(int failures);

  /** Doubles from 5 ms to 2 s, each time a random half to whole of it. */
  static Backoff exponential() {
    return failures -> {
      long millis = Math.min(2000, 5L << Math.min(failures - 1, 10));
      LockSupport.parkNanos(
          1_000_000 * (millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1)));
    };
  }

  /** Doesn't wait. */
  static Backoff none() {
    return failures -> {};
  }
}
