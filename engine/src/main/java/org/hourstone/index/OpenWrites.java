package org.hourstone.index;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The writes of rows that have begun and whose rows may not be readable yet, and the uses of rows
 * that were read. Thread-safe.
 */
final class OpenWrites {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Set<Object> writes = ConcurrentHashMap.newKeySet();

  /** A write begins; {@link #end} must follow. */
  Object begin() {
    Object write = new Object();
    writes.add(write);
    return write;
  }

  void end(Object write) {
    writes.remove(write);
  }

  /**
   * Waits until all writes that have begun before have ended. Returns false if that takes longer
   * than a minute, or the thread is interrupted.
   */
  boolean await() {
    List<Object> begun = List.copyOf(writes);
    long start = System.nanoTime();
    for (Object write : begun) {
      while (writes.contains(write)) {
        if (System.nanoTime() - start > WAIT_NANOS || Thread.currentThread().isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
    return true;
  }
}
