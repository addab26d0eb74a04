package org.hourstone.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects what a logger and those below it log until this is closed; it is not printed. Loggers
 * are the process's: what threads of earlier tests still log must be left out wherever a test lists
 * all lines.
 */
public final class LoggedBy extends Handler implements AutoCloseable {
  private final Logger logger;
  private final LongPredicate threads;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private LoggedBy(String name, LongPredicate threads) {
    this.threads = threads;
    logger = Logger.getLogger(name);
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** What the caller's thread logs. */
  public static LoggedBy thisThread(String name) {
    long caller = Thread.currentThread().getId();
    return new LoggedBy(name, thread -> thread == caller);
  }

  /** What all threads log. */
  public static LoggedBy anyThread(String name) {
    return new LoggedBy(name, thread -> true);
  }

  /** What was logged so far. */
  public List<LogRecord> records() {
    return records;
  }

  /** The messages, without exceptions. */
  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  /** The messages after their levels, as in {@code WARNING disk full}. */
  public List<String> lines() {
    return records.stream().map(each -> each.getLevel() + " " + each.getMessage()).toList();
  }

  /** Waits until there are this many lines, for a minute at most. */
  public void await(int lines) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    synchronized (records) {
      while (records.size() < lines) {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("only logged: " + lines());
        }
        records.wait(left);
      }
    }
  }

  @Override
  public void publish(LogRecord logged) {
    if (threads.test(logged.getLongThreadID())) {
      synchronized (records) {
        records.add(logged);
        records.notifyAll();
      }
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
