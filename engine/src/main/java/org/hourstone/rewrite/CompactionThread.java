package org.hourstone.rewrite;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.OutOfMemoryReport;

/** Compacts due rows in the background, a limited number per second, until closed. */
public final class CompactionThread {
  private static final int MOST_AT_A_TIME = 64;
  private static final long IDLE_MILLIS = 1000;

  private final CompactionQueue queue;
  private final int rowsPerSecond;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private CompactionThread(CompactionQueue queue, int rowsPerSecond) {
    this.queue = queue;
    this.rowsPerSecond = rowsPerSecond;
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
    queue.setRunning(true);
    try {
      int atATime = Math.min(MOST_AT_A_TIME, rowsPerSecond);
      long pauseMillis = IDLE_MILLIS;
      while (!closedWithin(pauseMillis)) {
        int done = compactDue(atATime);
        pauseMillis = done < atATime ? IDLE_MILLIS : 1000L * done / rowsPerSecond;
      }
    } finally {
      queue.setRunning(false);
    }
  }

  private int compactDue(int most) {
    try {
      return queue.compactDue(most);
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e);
      return 0; // others have used up the memory; the rows are still in the table for later
    }
  }

  private boolean closedWithin(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true; // an interrupt ends this thread
    }
  }

  /**
   * Ends the thread after the current row, or at the deadline even within a row; rows in the queue
   * are not compacted.
   */
  public void close(Deadline deadline, InstantSource clock) {
    closed.countDown();
    deadline.join(thread, clock);
  }
}
