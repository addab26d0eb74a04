package org.hourstone.kv.rocksdb;

import java.util.concurrent.TimeUnit;

/**
 * When a store that refuses writes is opened again: a second after the failure, and later while
 * that fails, or is followed by the next failure soon. No pause is longer than {@link #LONGEST}, so
 * that writes are back within 10 seconds after the cause is gone. Times are those of {@link
 * System#nanoTime}. For one thread.
 */
final class ReopeningPauses {
  private static final long FIRST = TimeUnit.SECONDS.toNanos(1);
  static final long LONGEST = TimeUnit.SECONDS.toNanos(4);

  /** An outage that begins within this time after another one is the same. */
  private static final long RECOVERED = TimeUnit.SECONDS.toNanos(3);

  private long pause = FIRST;
  private long nextAttempt;
  private long openedAt;

  ReopeningPauses(long now) {
    openedAt = now;
  }

  /** The store refuses writes from now on. */
  void failed(long now) {
    pause = now - openedAt > RECOVERED ? FIRST : longer();
    nextAttempt = now + pause;
  }

  /** Whether it should be opened again. */
  boolean isDue(long now) {
    return now - nextAttempt >= 0;
  }

  /** It could not be opened. */
  void notOpened(long now) {
    pause = longer();
    nextAttempt = now + pause;
  }

  void opened(long now) {
    openedAt = now;
  }

  private long longer() {
    return Math.min(2 * pause, LONGEST);
  }
}
