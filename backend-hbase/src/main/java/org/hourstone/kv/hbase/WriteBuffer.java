package org.hourstone.kv.hbase;

import java.util.concurrent.Semaphore;

/**
 * Bounds the bytes that are on their way to the servers, all threads and tables together: whoever
 * would exceed the bound waits. So a slow region server slows its writers, and costs no memory.
 */
final class WriteBuffer {
  private static final int UNIT = 1024;

  private final int units;
  private final Semaphore free;

  /**
   * @param bytes at least 1 KB
   */
  WriteBuffer(long bytes) {
    this.units = (int) Math.min(Integer.MAX_VALUE, bytes / UNIT);
    this.free = new Semaphore(units, true);
  }

  /**
   * Waits until there is room.
   *
   * @param bytes if they are more than the bound, the whole buffer is taken
   * @return what to give to {@link #release}
   */
  int acquire(long bytes) throws InterruptedException {
    int taken = (int) Math.min(units, bytes / UNIT + 1);
    free.acquire(taken);
    return taken;
  }

  void release(int taken) {
    free.release(taken);
  }
}
