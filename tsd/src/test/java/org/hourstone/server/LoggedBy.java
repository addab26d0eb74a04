package org.hourstone.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the messages of a logger and of those below it. */
final class LoggedBy extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  LoggedBy(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
  }

  List<LogRecord> records() {
    return records;
  }

  /** The messages, without exceptions. */
  List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
