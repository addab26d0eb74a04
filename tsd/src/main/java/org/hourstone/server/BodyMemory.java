package org.hourstone.server;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Bounds the bytes of all request bodies that are received or handled. Thread-safe. */
final class BodyMemory {
  private final @Nullable BodyMemory whole;
  private final AtomicLong free;

  BodyMemory(long bytes) {
    this(null, bytes);
  }

  private BodyMemory(@Nullable BodyMemory whole, long bytes) {
    this.whole = whole;
    this.free = new AtomicLong(bytes);
  }

  /** A part of this, for those who must not take all of it. */
  BodyMemory part(long bytes) {
    return new BodyMemory(this, bytes);
  }

  /** Whether there was room, which is taken then. */
  boolean take(long bytes) {
    long now = free.get();
    // Never taken and given back: others would be refused in between. In a part they may be.
    while (now >= bytes) {
      if (free.compareAndSet(now, now - bytes)) {
        if (whole == null || whole.take(bytes)) {
          return true;
        }
        free.addAndGet(bytes);
        return false;
      }
      now = free.get();
    }
    return false;
  }

  void release(long bytes) {
    free.addAndGet(bytes);
    if (whole != null) {
      whole.release(bytes);
    }
  }
}
