package org.hourstone.api.put;

import java.util.concurrent.Semaphore;
import org.hourstone.api.request.ApiException;

/**
 * The memory for the blocks of bodies that are handled while they arrive, from when a block is
 * parsed until its points are stored; others wait for it in their order. What has room waits for
 * the store, never for a client. Thread-safe.
 */
final class BlockRoom {
  /** The memory of a byte of a block, with all that is made of it. */
  private static final int SIZE_IN_MEMORY = 8;

  private static final int UNIT = 1024;

  private final Semaphore free;
  private final int units;

  /** Room of this many bytes, and for at least one block. */
  BlockRoom(long bytes) {
    this.units = (int) Math.max(1, Math.min(bytes / UNIT, Integer.MAX_VALUE));
    this.free = new Semaphore(units, true);
  }

  /**
   * Handles a block when there is room for it.
   *
   * @param length of the block in bytes
   * @throws ApiException if the thread is interrupted
   */
  void handle(int length, Runnable handling) {
    int needed = (int) Math.min(units, (long) SIZE_IN_MEMORY * length / UNIT);
    try {
      free.acquire(needed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(ApiException.INTERNAL_ERROR, "interrupted while writing");
    }
    try {
      handling.run();
    } finally {
      free.release(needed);
    }
  }
}
