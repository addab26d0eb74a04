package org.hourstone.retention;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;

/**
 * Deletes what has expired once an hour, a limited number of rows a second, until closed. A run
 * that fails is repeated an hour later; one that is refused because of the clock is logged once.
 */
final class RetentionThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.retention");
  private static final long PERIOD_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** So that opening is over, and a wrong clock may be corrected. */
  private static final long FIRST_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private static final long END_MILLIS = 5_000;

  private final Retention retention;
  private final int rowsPerSecond;
  private final long firstMillis;
  private final long periodMillis;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "hourstone-retention");
  private boolean isRefused;

  private RetentionThread(
      Retention retention, int rowsPerSecond, long firstMillis, long periodMillis) {
    this.retention = retention;
    this.rowsPerSecond = rowsPerSecond;
    this.firstMillis = firstMillis;
    this.periodMillis = periodMillis;
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param rowsPerSecond at least 1
   */
  static RetentionThread start(Retention retention, int rowsPerSecond) {
    return start(retention, rowsPerSecond, FIRST_MILLIS, PERIOD_MILLIS);
  }

  static RetentionThread start(
      Retention retention, int rowsPerSecond, long firstMillis, long periodMillis) {
    RetentionThread started =
        new RetentionThread(retention, rowsPerSecond, firstMillis, periodMillis);
    started.thread.start();
    return started;
  }

  private void run() {
    for (long pause = firstMillis; !closedWithin(pause); pause = periodMillis) {
      ForeignCode.run(this::delete); // without this thread nothing would be deleted any more
    }
  }

  private void delete() {
    try {
      var unused = retention.runAtRate(this::pause);
      isRefused = false;
    } catch (ImplausibleClockException e) {
      if (!isRefused) {
        LOG.log(Level.WARNING, e.getMessage());
      }
      isRefused = true;
    } catch (RuntimeException e) {
      if (closed.getCount() > 0) {
        LOG.log(Level.WARNING, "what has expired is not deleted: " + e.getMessage());
      }
    }
  }

  private void pause(int rows) {
    if (closedWithin(1000L * rows / rowsPerSecond)) {
      Thread.currentThread().interrupt(); // ends the run
    }
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
