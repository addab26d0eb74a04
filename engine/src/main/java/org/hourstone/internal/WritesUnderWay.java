package org.hourstone.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets a thread wait for the writes of others that have begun, without delaying those that begin
 * later. Thread-safe.
 *
 * <p>Writes are counted in one of two phases, that of the moment at which they began. Who waits
 * first begins the other phase: a write that is not counted in the earlier one began after that,
 * and sees what the waiting thread had published before it waited.
 */
public final class WritesUnderWay {
  private static final long PAUSE_NANOS = 200_000;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final AtomicIntegerArray begun = new AtomicIntegerArray(2);
  private volatile int phase;

  /** A write begins; returns its phase, for {@link #end}. */
  public int begin() {
    while (true) {
      int now = phase;
      begun.incrementAndGet(now);
      if (phase == now) {
        return now;
      }
      begun.decrementAndGet(now); // that phase has ended: who waits for it may have missed this
    }
  }

  public void end(int of) {
    begun.decrementAndGet(of);
  }

  /**
   * Waits until all writes have ended that began before.
   *
   * @param isAbandoned whether to wait no more
   * @return whether they have ended
   */
  public synchronized boolean awaitEarlier(BooleanSupplier isAbandoned) {
    int earlier = phase;
    // Only if it was abandoned before, there are writes of the other phase.
    if (!haveEnded(1 - earlier, isAbandoned)) {
      return false;
    }
    phase = 1 - earlier;
    return haveEnded(earlier, isAbandoned);
  }

  /**
   * As {@link #awaitEarlier(BooleanSupplier)}, for a minute at most, until the thread is
   * interrupted.
   */
  public boolean awaitEarlier() {
    long start = System.nanoTime();
    return awaitEarlier(
        () -> System.nanoTime() - start > WAIT_NANOS || Thread.currentThread().isInterrupted());
  }

  /** Waits for the writes of the phase that is not the present one. */
  private boolean haveEnded(int of, BooleanSupplier isAbandoned) {
    while (begun.get(of) != 0) {
      if (isAbandoned.getAsBoolean()) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }
}
