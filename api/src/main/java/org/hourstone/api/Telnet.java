package org.hourstone.api;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.Tsdb;
import org.hourstone.histogram.UnreadableHistogramException;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.TextPoints;

/**
 * OpenTSDB's telnet commands over a database, a line at a time. A line whose point is stored has no
 * reply. The transport handles {@code exit}, which concerns the connection. See {@code
 * docs/format/text-input.md}. Thread-safe.
 */
public final class Telnet {
  static final String PUT = "put";
  private static final String STATUS = "status";
  private static final String DROP_CACHES = "dropcaches";
  private static final String HELP =
      "available commands: stats dropcaches version exit help put rollup histogram";

  private final Tsdb db;
  private final Map<String, TelnetCommand> commands;
  private final Map<String, Supplier<String>> questions;
  private final ApiDialect dialect;
  private final ServerMode mode;
  private final ServerInfo server;
  private final boolean stops;
  private final Statistics statistics;

  /** For a program that handles lines without a server. */
  public Telnet(Tsdb db) {
    this(db, ServerInfo.none());
  }

  /**
   * @param server the information of {@code version} and {@code stats} about the process
   */
  public Telnet(Tsdb db, ServerInfo server) {
    this.db = db;
    ApiOptions options = ApiOptions.of(db);
    this.statistics = new Statistics(db, options.clock(), server);
    this.mode = options.mode();
    this.server = server;
    this.stops = options.allowsStop();
    this.dialect = options.requests();
    DefaultTag defaultTag = options.defaultTag();
    this.commands =
        Map.of(
            PUT,
            line -> put(db, defaultTag.completed(line)),
            "rollup",
            line -> rollup(db, line),
            "histogram",
            line -> histogram(db, options.errors(), line));
    boolean hasStatus = dialect.hasStatus();
    String help = HELP + (hasStatus ? " " + STATUS : "") + "\n";
    Map<String, Supplier<String>> replies =
        new HashMap<>(
            Map.of(
                "help",
                () -> help,
                "version",
                () -> VersionEndpoint.line(server),
                "stats",
                statistics::lines,
                DROP_CACHES,
                () -> dropCaches(db)));
    if (hasStatus) {
      replies.put(STATUS, () -> StatusEndpoint.of(server) + "\n");
    }
    this.questions = Map.copyOf(replies);
  }

  private static String dropCaches(Tsdb db) {
    db.dropCaches();
    return "Caches dropped.\n";
  }

  private static FutureReceipt put(Tsdb db, String line) {
    FutureReceipt stored = new FutureReceipt(db.writer());
    db.writer().putTelnetLine(line, stored, 0);
    return stored;
  }

  private static FutureReceipt rollup(Tsdb db, String line) {
    FutureReceipt stored = new FutureReceipt(db.writer());
    db.rollups().putTelnetLine(line, stored, 0);
    return stored;
  }

  private static FutureReceipt histogram(Tsdb db, ErrorDialect errors, String line) {
    FutureReceipt stored = new FutureReceipt(db.writer());
    try {
      db.histograms().putTelnetLine(line, stored, 0);
    } catch (UnreadableHistogramException e) {
      errors.unreadable(e);
      stored.complete(null);
    }
    return stored;
  }

  /**
   * Executes the lines of a connection from their bytes.
   *
   * @param replies receives each reply that is not empty, with a line feed at its end; possibly on
   *     a thread that must not be blocked
   */
  public TelnetLines lines(Consumer<String> replies) {
    TextPoints points = mode.hasCommand(PUT) ? db.writer().telnetPoints() : null;
    return new TelnetLines(this, points, replies);
  }

  /**
   * Executes a line.
   *
   * @param line without its end; a carriage return before it is dropped
   * @return the reply, with a line feed at its end; empty on success. Completes when the line's
   *     writes are stored, which may take the flush interval unless a caller waits for it;
   *     completes on a thread that must not be blocked; never exceptionally
   */
  public CompletableFuture<String> answer(String line) {
    String stripped = stripped(line);
    String name = name(stripped);
    TelnetCommand command = commands.get(name);
    Supplier<String> question = questions.get(name);
    if (name.equals("diediedie") && stops) {
      server.stop();
      return CompletableFuture.completedFuture(StopEndpoint.REPLY);
    }
    if (question != null) {
      return CompletableFuture.completedFuture(answer(name, question));
    }
    if (command == null || !mode.hasCommand(name)) {
      return CompletableFuture.completedFuture("unknown command: " + name + ".  Try `help'.\n");
    }
    try {
      return command
          .run(stripped)
          .handle((done, failure) -> failure == null ? "" : reply(name, failure));
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(reply(name, e));
    }
  }

  private static String stripped(String line) {
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  private static String name(String stripped) {
    int space = stripped.indexOf(' ');
    return space < 0 ? stripped : stripped.substring(0, space);
  }

  /** Whether a line has no other effect than its reply. */
  boolean onlyReplies(String line) {
    String name = name(stripped(line));
    boolean stopsServer = name.equals("diediedie") && stops;
    boolean changes = name.equals(DROP_CACHES) || stopsServer;
    return !changes && !(commands.containsKey(name) && mode.hasCommand(name));
  }

  /** The statistics, as lines that can be put. */
  public String statistics() {
    return statistics.lines();
  }

  /** The reply to a line that is too long, which is not executed. */
  public String refusalOfLongLine(int maxBytes) {
    return dialect.longLine(maxBytes);
  }

  /**
   * The reply to a line of {@code put} whose point was not stored, without its end.
   *
   * @param reason one that {@link org.hourstone.write.PointWriter} throws, or reports to a receipt
   */
  public static String refusalOfPut(RuntimeException reason) {
    return Failures.reply(PUT, reason).stripTrailing();
  }

  private static String answer(String name, Supplier<String> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      return reply(name, e);
    }
  }

  private static String reply(String name, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return Failures.reply(name, cause);
  }
}
