package org.hourstone.server;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Limits the total bytes of all request bodies that are being received or handled. Thread-safe. */
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

  /** A part of this memory, for clients that must not use all of it. */
  BodyMemory part(long bytes) {
    return new BodyMemory(this, bytes);
  }

  /** Reserves bytes if there is room; returns whether there was. */
  boolean take(long bytes) {
    long now = free.get();
    // Bytes are never reserved and then given back here, since other requests would be refused in
    // between. In a part this may happen.
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
