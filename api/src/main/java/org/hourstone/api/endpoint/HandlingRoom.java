package org.hourstone.api.endpoint;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.HeapRoom;

/**
 * The memory for what is made of large texts while they are handled: of the blocks of bodies that
 * are handled while they arrive, and of what is stored as one text, such as an annotation. Others
 * wait for it in their order. What has room waits for the store, never for a client. Thread-safe.
 */
public final class HandlingRoom {
  /** The maximum size of a text; a larger one takes all of the room. */
  public static final int MOST_TEXT = 1 << 20;

  /** The memory of a byte of a text, with all that is made of it. */
  private static final int SIZE_IN_MEMORY = 8;

  private static final int UNIT = 1024;

  private final Semaphore free;
  private final int units;

  /** Room of this many bytes, and for at least one text. */
  HandlingRoom(long bytes) {
    this.units = (int) Math.max(1, Math.min(bytes / UNIT, Integer.MAX_VALUE));
    this.free = new Semaphore(units, true);
  }

  /** A share of the heap, which all requests of a kind have together. */
  public static HandlingRoom ofHeap() {
    return new HandlingRoom(HeapRoom.bytes() / 16);
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
      free.acquire(needed);
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
