package org.hourstone.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The messages that a logger gets until this is closed. */
final class LoggedLines implements AutoCloseable {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private LoggedLines(Logger logger) {
    this.logger = logger;
  }

  static LoggedLines of(String logger) {
    LoggedLines logged = new LoggedLines(Logger.getLogger(logger));
    logged.logger.addHandler(logged.handler);
    return logged;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
