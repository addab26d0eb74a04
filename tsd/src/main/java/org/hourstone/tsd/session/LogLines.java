package org.hourstone.tsd.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the log: one for each message, as text or as a JSON object. A text is followed by
 * the lines of its exception, if there is one. A message can't contain a line break that starts
 * another log line: control characters in it are replaced.
 */
public final class LogLines extends Formatter {
  private static final JsonFactory JSON = new JsonFactory();

  private final boolean json;

  LogLines(boolean json) {
    this.json = json;
  }

  /** Uses these lines for the log on standard error, unless Java's logging is configured. */
  public static void use(boolean json) {
    if (isConfigured()) {
      return;
    }
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      if (handler instanceof ConsoleHandler) {
        handler.setFormatter(new LogLines(json));
      }
    }
  }

  private static boolean isConfigured() {
    return Stream.of("config.file", "config.class")
        .anyMatch(name -> System.getProperty("java.util.logging." + name) != null);
  }

  /**
   * Logs a message while the process ends, when Java's logging may have ended: it is written to
   * standard error, unless Java's logging is configured.
   */
  public static void whileEnding(boolean json, PrintStream err, String logger, String message) {
    if (isConfigured()) {
      System.getLogger(logger).log(System.Logger.Level.INFO, message);
      return;
    }
    LogRecord record = new LogRecord(Level.INFO, message);
    record.setLoggerName(logger);
    err.print(new LogLines(json).format(record));
    err.flush();
  }

  @Override
  public String format(LogRecord logged) {
    String message = String.valueOf(formatMessage(logged)); // a library may log without a message
    Throwable thrown = logged.getThrown();
    return json ? object(logged, message, thrown) : text(logged, message, thrown);
  }

  private static String text(LogRecord logged, String message, @Nullable Throwable thrown) {
    return logged.getInstant()
        + " "
        + logged.getLevel().getName()
        + " "
        + logged.getLoggerName()
        + ": "
        + message.replaceAll("[\\p{Cc}\\u2028\\u2029]", " ")
        + "\n"
        + (thrown == null ? "" : trace(thrown));
  }

  private static String object(LogRecord logged, String message, @Nullable Throwable thrown) {
    StringWriter line = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(line)) {
      out.writeStartObject();
      out.writeStringField("time", logged.getInstant().toString());
      out.writeStringField("level", logged.getLevel().getName());
      out.writeStringField("logger", logged.getLoggerName());
      out.writeStringField("message", message);
      if (thrown != null) {
        out.writeStringField("exception", trace(thrown));
      }
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return line + "\n";
  }

  private static String trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }
}
