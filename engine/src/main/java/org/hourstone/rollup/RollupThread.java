package org.hourstone.rollup;

import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;

/**
 * Rolls up what is to be every minute, a limited number of rows a second, until closed. What fails
 * is logged and repeated.
 */
final class RollupThread implements AutoCloseable {
  private static final long PERIOD_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long END_MILLIS = 5_000;

  private final OwnRollups rollups;
  private final int rowsPerSecond;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "hourstone-rollup");

  private RollupThread(OwnRollups rollups, int rowsPerSecond) {
    this.rollups = rollups;
    this.rowsPerSecond = rowsPerSecond;
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param rowsPerSecond at least 1
   */
  static RollupThread start(OwnRollups rollups, int rowsPerSecond) {
    RollupThread started = new RollupThread(rollups, rowsPerSecond);
    started.thread.start();
    return started;
  }

  private void run() {
    while (!closedWithin(PERIOD_MILLIS)) {
      ForeignCode.run(this::roll); // without this thread nothing would be rolled up any more
    }
  }

  private void roll() {
    try {
      var unused = rollups.run(() -> closed.getCount() == 0, done -> {}, this::pause);
    } catch (CancellationException e) {
      // It is being closed.
    } catch (RuntimeException e) {
      if (closed.getCount() > 0) {
        OwnRollups.failed(e);
      }
    }
  }

  private void pause(int rows) {
    boolean unused = closedWithin(1000L * rows / rowsPerSecond);
  }

  private boolean closedWithin(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true; // an interrupt ends this thread
    }
  }

  /** Ends the thread after the current batch, or after some seconds even within one. */
  @Override
  public void close() {
    closed.countDown();
    InstantSource clock = InstantSource.system();
    Deadline.in(END_MILLIS, clock).join(thread, clock);
  }
}
