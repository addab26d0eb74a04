package org.hourstone.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;

/**
 * The latest lines of Hourstone's log, in bounded memory. Stack traces are in the log itself only.
 * Thread-safe.
 */
final class RecentLog extends Handler implements AutoCloseable {
  private static final int MOST_LINES = 1_000;
  private static final int LONGEST = 300;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

  /** Referenced here, since loggers that are not referenced lose their handlers. */
  private static final Logger HOURSTONE = Logger.getLogger("org.hourstone");

  private static final Formatter FORMATTER = new SimpleFormatter();

  private final Deque<String> newestFirst = new ArrayDeque<>();

  /** Starts to collect log lines. */
  static RecentLog open() {
    RecentLog log = new RecentLog();
    HOURSTONE.addHandler(log);
    return log;
  }

  @Override
  public void publish(LogRecord logged) {
    if (!isLoggable(logged)) {
      return;
    }
    String message = FORMATTER.formatMessage(logged);
    String all = logged.getThrown() == null ? message : message + ": " + logged.getThrown();
    String line =
        logged.getInstant()
            + "\t"
            + logged.getLevel().getName()
            + "\t"
            + logged.getLoggerName()
            + "\t"
            + oneLine(all);
    synchronized (newestFirst) {
      newestFirst.addFirst(line);
      if (newestFirst.size() > MOST_LINES) {
        newestFirst.removeLast();
      }
    }
  }

  private static String oneLine(String text) {
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return CONTROL.matcher(cut).replaceAll(" ");
  }

  List<String> lines() {
    synchronized (newestFirst) {
      return List.copyOf(newestFirst);
    }
  }

  @Override
  public void flush() {}

  /** Stops collecting. */
  @Override
  public void close() {
    HOURSTONE.removeHandler(this);
  }
}
