package org.hourstone.query;

import java.util.function.LongSupplier;

/**
 * The time in which at least one thread works for a request. It passes between {@link #resume} and
 * {@link #pause}, which may nest and overlap; it does not pass while all wait, such as for a client
 * that reads slowly. Thread-safe.
 */
final class WorkingTime {
  private final LongSupplier nanos;
  private int working;
  private long since;
  private long spent;

  /**
   * @param nanos a monotonic clock
   */
  WorkingTime(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Another thread works. */
  synchronized void resume() {
    if (working++ == 0) {
      since = nanos.getAsLong();
    }
  }

  /** One thread less works. Returns whether none does now. */
  synchronized boolean pause() {
    if (--working == 0) {
      spent += nanos.getAsLong() - since;
    }
    return working == 0;
  }

  /** How much of it has passed. */
  synchronized long nanos() {
    return working == 0 ? spent : spent + nanos.getAsLong() - since;
  }
}
