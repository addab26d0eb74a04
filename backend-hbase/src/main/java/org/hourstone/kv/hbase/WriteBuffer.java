package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the bytes in flight to the servers, for all threads and tables together: a writer that
 * would exceed the limit waits. So a slow region server slows its writers down and uses no
 * additional memory.
 */
final class WriteBuffer {
  private static final int UNIT = 1024;

  private final int units;
  private final Semaphore free;
  private final Duration patience;
  private final LongAdder waits = new LongAdder();

  /**
   * @param bytes the limit, at least 1 KB
   * @param patience how long to wait for room
   */
  WriteBuffer(long bytes, Duration patience) {
    this.patience = patience;
    this.units = (int) Math.min(Integer.MAX_VALUE, bytes / UNIT);
    this.free = new Semaphore(units, true);
  }

  /**
   * Waits until there is room.
   *
   * @param bytes the number of bytes; if it exceeds the limit, the whole buffer is taken
   * @return the argument for {@link #release}
   * @throws TimeoutException if there was no room within the time limit
   */
  int acquire(long bytes) throws InterruptedException, TimeoutException {
    int taken = (int) Math.min(units, bytes / UNIT + 1);
    if (free.tryAcquire(taken, 0, TimeUnit.NANOSECONDS)) { // unlike without a time, in turn
      return taken;
    }
    waits.increment();
    if (!free.tryAcquire(taken, patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new TimeoutException(
          "no room in " + StoreSettings.WRITE_BUFFER + " for " + patience.toSeconds() + " s");
    }
    return taken;
  }

  void release(int taken) {
    free.release(taken);
  }

  /** The bytes in flight. */
  long used() {
    return (long) UNIT * (units - free.availablePermits());
  }

  /** The most bytes in flight. */
  long limit() {
    return (long) UNIT * units;
  }

  /** How often a writer has waited for room. */
  long waits() {
    return waits.sum();
  }
}
