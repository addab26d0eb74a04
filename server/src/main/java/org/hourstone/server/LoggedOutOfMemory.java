package org.hourstone.server;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.hourstone.internal.OutOfMemoryReport;

/**
 * Reports the errors of exhausted memory that a library logs. Netty catches all throwables of its
 * tasks, its listeners and its selectors, and only logs them; its threads would go on although a
 * connection or all of them are lost. Thread-safe.
 */
final class LoggedOutOfMemory extends Handler implements AutoCloseable {
  /** Referenced here, since loggers that are not referenced lose their handlers. */
  private final Logger logger;

  private LoggedOutOfMemory(Logger logger) {
    this.logger = logger;
  }

  /**
   * @param name the logger of the library
   */
  static LoggedOutOfMemory watch(String name) {
    LoggedOutOfMemory watch = new LoggedOutOfMemory(Logger.getLogger(name));
    watch.logger.addHandler(watch);
    return watch;
  }

  @Override
  public void publish(LogRecord logged) {
    OutOfMemoryReport.report(logged.getThrown());
  }

  @Override
  public void flush() {}

  /** Stops watching. */
  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
