package org.hourstone.api.endpoint;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.HeapRoom;

/**
 * The memory for what is made of large texts while they are handled: of the blocks of bodies that
 * are handled while they arrive, and of what is stored as one text, such as an annotation. Others
 * wait for it in their order, with their threads: a server has some for these requests alone. What
 * has room waits for the store, never for a client. Thread-safe.
 */
public final class HandlingRoom {
  /** The size of a text, at most; what is made of a larger one counts {@linkplain #beyond too}. */
  public static final int MOST_TEXT = 1 << 20;

  /** The memory of a byte of a text, with all that is made of it. */
  private static final int SIZE_IN_MEMORY = 8;

  private static final int UNIT = 1024;

  // Those of all servers of the process, as they share the heap.

  /** For stored texts. */
  public static final HandlingRoom TEXTS = ofHeap();

  /** For the blocks of large put bodies. */
  public static final HandlingRoom BLOCKS = ofHeap();

  private final Semaphore free;
  private final int units;
  private final LongAdder waits = new LongAdder();

  /** Room of this many bytes, and for at least one text. */
  HandlingRoom(long bytes) {
    this.units = (int) Math.max(1, Math.min(bytes / UNIT, Integer.MAX_VALUE));
    this.free = new Semaphore(units, true);
  }

  /** A share of the heap, which all requests of a kind have together. */
  private static HandlingRoom ofHeap() {
    return new HandlingRoom(HeapRoom.bytes() / 16);
  }

  /**
   * Counts what is made of a text that has room here, as far as it is more than the room is for.
   *
   * @param memory is passed the rest
   */
  public static LongConsumer beyond(LongConsumer memory) {
    long room = (long) SIZE_IN_MEMORY * MOST_TEXT;
    return bytes -> {
      if (bytes > room) {
        memory.accept(bytes - room);
      }
    };
  }

  /** How often a text has waited. */
  public long waits() {
    return waits.sum();
  }

  /** An endpoint whose requests each handle a text of any size that is stored. */
  public Endpoint of(Endpoint endpoint) {
    return call -> get(MOST_TEXT, () -> endpoint.respond(call));
  }

  /** As {@link #get}, without a result. */
  public void handle(int length, Runnable work) {
    var unused =
        get(
            length,
            () -> {
              work.run();
              return true;
            });
  }

  /**
   * Handles a text when there is room for it.
   *
   * @param length of the text in bytes
   * @throws ApiException if the thread is interrupted while it waits
   */
  public <T> T get(int length, Supplier<T> work) {
    int needed = (int) Math.min(units, (long) SIZE_IN_MEMORY * length / UNIT);
    try {
      if (!free.tryAcquire(needed, 0, TimeUnit.NANOSECONDS)) { // which lets others go first
        waits.increment();
        free.acquire(needed);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(ApiException.INTERNAL_ERROR, "interrupted while waiting for memory");
    }
    try {
      return work.get();
    } finally {
      free.release(needed);
    }
  }
}
