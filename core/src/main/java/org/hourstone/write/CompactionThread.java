package org.hourstone.write;

import com.google.common.util.concurrent.RateLimiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Compacts due rows in the background, a limited number a second, until closed. */
public final class CompactionThread implements AutoCloseable {
  private static final int ROWS_AT_A_TIME = 64;

  private final CompactionQueue queue;
  private final RateLimiter rate;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private CompactionThread(CompactionQueue queue, int rowsPerSecond) {
    this.queue = queue;
    this.rate = RateLimiter.create(rowsPerSecond);
    this.thread = new Thread(this::run, "hourstone-compaction");
    this.thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param rowsPerSecond at least 1
   */
  public static CompactionThread start(CompactionQueue queue, int rowsPerSecond) {
    if (rowsPerSecond < 1) {
      throw new IllegalArgumentException("rows compacted per second: " + rowsPerSecond);
    }
    CompactionThread started = new CompactionThread(queue, rowsPerSecond);
    started.thread.start();
    return started;
  }

  private void run() {
    while (!closedWithin(1)) {
      int done = ROWS_AT_A_TIME;
      while (done == ROWS_AT_A_TIME && !closedWithin(0)) {
        done = queue.compactDue(ROWS_AT_A_TIME);
        rate.acquire(Math.max(1, done));
      }
    }
  }

  private boolean closedWithin(int seconds) {
    try {
      return closed.await(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return true; // somebody wants this thread to end
    }
  }

  /** Ends the thread after the rows in hand; what waits in the queue stays there. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
