package org.hourstone.internal;

/**
 * How many bytes of the heap there are for what grows with its use. Defaults of caches, queries and
 * buffers are shares of this, so that in a small heap all of them fit at once beside what the
 * process takes in any case.
 */
public final class HeapRoom {
  /** What a daemon takes without any clients, and a third of that for its collector. */
  private static final long BASE = 32L << 20;

  private HeapRoom() {}

  /** The room in the heap of this process; at least half of it. */
  public static long bytes() {
    return of(Runtime.getRuntime().maxMemory());
  }

  static long of(long heap) {
    return Math.max(heap / 2, heap - BASE);
  }
}
