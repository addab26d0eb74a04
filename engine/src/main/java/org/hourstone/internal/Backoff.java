package org.hourstone.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The pause before a call that failed in the store is repeated. */
@FunctionalInterface
public interface Backoff {
  /**
   * Waits before another attempt; returns early if the thread is interrupted.
   *
   * @param failures the number of failed attempts, at least 1
   */
  void pause(int failures);

  /**
   * A pause that doubles from 5 ms to 2 s; each pause is a random fraction of that, from a half to
   * the whole.
   */
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
