package org.hourstone.internal;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Does something again and again, a limited number of rows a second, until closed. What fails is
 * repeated: the log has a line when it begins to fail, and one when it works again. Thread-safe.
 */
public final class PacedThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone");
  private static final long END_MILLIS = 5_000;

  /**
   * What is done, and when.
   *
   * @param name of the thread
   * @param doing what, in words that begin a sentence, such as "rolling up"
   * @param firstMillis before it is done first
   * @param periodMillis from the end to the next begin
   */
  public record Task(String name, String doing, long firstMillis, long periodMillis) {}

  private final Task task;
  private final int rowsPerSecond;
  private final Consumer<PacedThread> work;
  private final LongAdder failures;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Whether it failed when it was last done. */
  private boolean isFailing;

  private PacedThread(
      Task task, int rowsPerSecond, LongAdder failures, Consumer<PacedThread> work) {
    this.task = task;
    this.rowsPerSecond = rowsPerSecond;
    this.failures = failures;
    this.work = work;
    this.thread = new Thread(this::run, task.name());
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param rowsPerSecond at least 1
   * @param failures is incremented when the work has failed
   * @param work calls {@link #pause}, and ends soon if it is closed
   */
  public static PacedThread start(
      Task task, int rowsPerSecond, LongAdder failures, Consumer<PacedThread> work) {
    PacedThread started = new PacedThread(task, rowsPerSecond, failures, work);
    started.thread.start();
    return started;
  }

  private void run() {
    for (long pause = task.firstMillis(); !closedWithin(pause); pause = task.periodMillis()) {
      ForeignCode.run(this::work); // without this thread nothing would be done any more
    }
  }

  private void work() {
    try {
      work.accept(this);
      if (isFailing) {
        LOG.log(Level.INFO, task.doing() + " works again");
      }
      isFailing = false;
    } catch (RuntimeException e) {
      if (isClosed()) {
        return;
      }
      failures.increment();
      if (!isFailing) {
        LOG.log(Level.WARNING, task.doing() + " fails, and is tried again: " + e.getMessage());
      }
      isFailing = true;
    }
  }

  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  /**
   * Waits as long as a number of rows may take.
   *
   * @return whether it was closed
   */
  public boolean pause(int rows) {
    return closedWithin(1000L * rows / rowsPerSecond);
  }

  private boolean closedWithin(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closed.countDown(); // an interrupt ends this thread
      return true;
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
