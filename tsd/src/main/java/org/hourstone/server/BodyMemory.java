package org.hourstone.server;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the bytes of all request bodies that are received or handled. Thread-safe. */
final class BodyMemory {
  private final AtomicLong free;

  BodyMemory(long bytes) {
    free = new AtomicLong(bytes);
  }

  /** Whether there was room, which is taken then. */
  boolean take(long bytes) {
    long now = free.get();
    while (now >= bytes) { // never taken and given back: others would be refused in between
      if (free.compareAndSet(now, now - bytes)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }

  void release(long bytes) {
    free.addAndGet(bytes);
  }
}
