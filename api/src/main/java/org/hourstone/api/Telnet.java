package org.hourstone.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.DefaultTag;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.endpoint.ServerMode;
import org.hourstone.api.endpoint.Statistics;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.StatusEndpoint;
import org.hourstone.api.status.StopEndpoint;
import org.hourstone.api.status.VersionEndpoint;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.UnreadableHistogramException;
import org.hourstone.internal.ByteSearch;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.LineDialect;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's telnet commands over a database, a line at a time. A line whose point is stored has no
 * reply. The transport handles {@code exit}, which concerns the connection. See {@code
 * docs/format/text-input.md}. Thread-safe.
 */
public final class Telnet {
  static final String PUT = "put";

  /** How a line with a point begins. */
  private static final List<byte[]> POINTS =
      Stream.of("put ", "rollup ", "histogram ").map(each -> each.getBytes(US_ASCII)).toList();

  private static final String STATUS = "status";
  private static final String DROP_CACHES = "dropcaches";
  private static final int LONGEST_QUESTION = 16;
  private static final String HELP =
      "available commands: stats dropcaches version exit help put rollup histogram";

  private final Tsdb db;
  private final Map<String, TelnetCommand> commands;
  private final Map<String, Supplier<String>> questions;
  private final ApiDialect dialect;
  private final LineDialect lineDialect;
  private final ErrorDialect errors;
  private final Refusals refusals;
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
    this(db, server, new Refusals());
  }

  /**
   * @param refusals counts the lines that are refused
   */
  public Telnet(Tsdb db, ServerInfo server, Refusals refusals) {
    this.db = db;
    ApiOptions options = ApiOptions.of(db);
    this.refusals = refusals;
    this.lineDialect = options.lines();
    this.errors = options.errors();
    this.statistics = new Statistics(db, options.clock(), server, refusals);
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
            line -> histogram(db, line));
    boolean hasStatus = dialect.paths().hasStatus();
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

  private static FutureReceipt histogram(Tsdb db, String line) {
    FutureReceipt stored = new FutureReceipt(db.writer());
    db.histograms().putTelnetLine(line, stored, 0);
    return stored;
  }

  /** As {@link #lines(Consumer, String)}, of a connection without a name. */
  public TelnetLines lines(Consumer<String> replies) {
    return lines(replies, "");
  }

  /**
   * Executes the lines of a connection from their bytes.
   *
   * @param replies receives each reply that is not empty, with a line feed at its end; possibly on
   *     a thread that must not be blocked
   * @param client the address of the connection, for the log
   */
  public TelnetLines lines(Consumer<String> replies, String client) {
    TextPoints points = mode.hasCommand(PUT) ? db.writer().telnetPoints() : null;
    return new TelnetLines(this, points, replies, client);
  }

  /**
   * Whether lines, each with its end, are for the state of the server only.
   *
   * @param from the index of the first line
   * @param to the index after the last one
   * @param exit the transport's command
   */
  public boolean neverWaits(byte[] lines, int from, int to, String exit) {
    int begin = from;
    while (begin < to) {
      int end = ByteSearch.indexOf(lines, begin, to, '\n');
      if (end - begin > LONGEST_QUESTION) {
        return false;
      }
      String line = new String(lines, begin, end - begin, US_ASCII).strip();
      if (!questions.containsKey(line) && !line.equals(exit)) {
        return false;
      }
      begin = end + 1;
    }
    return true;
  }

  /** The charset of lines and replies. */
  public Charset charset() {
    return lineDialect.telnetCharset();
  }

  /** As {@link #respond(String, String)}, for a client without a name. */
  public CompletableFuture<String> respond(String line) {
    return respond(line, "");
  }

  /** As {@link #respond(String, String)}, from a line's bytes. */
  CompletableFuture<String> respond(byte[] text, int from, int to, String client) {
    String line;
    try {
      line = lineDialect.telnetText(text, from, to);
    } catch (RequestException e) {
      String read = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
      String name = nameIn(read);
      return commands.containsKey(name) && mode.hasCommand(name)
          ? CompletableFuture.completedFuture(refused(name, read, client, e))
          : respond(read, client); // which does not know it either
    }
    return respond(line, client);
  }

  /**
   * Executes a line.
   *
   * @param line without its end; a carriage return before it is dropped
   * @param client the address of its sender, for the log
   * @return the reply, with a line feed at its end; empty on success. Completes when the line's
   *     writes are stored, which may take the flush interval unless a caller waits for it;
   *     completes on a thread that must not be blocked; never exceptionally
   */
  public CompletableFuture<String> respond(String line, String client) {
    String stripped = stripped(line);
    String name = nameIn(stripped);
    TelnetCommand command = commands.get(name);
    Supplier<String> question = questions.get(name);
    if (name.equals("diediedie") && stops) {
      server.stop();
      return CompletableFuture.completedFuture(StopEndpoint.REPLY);
    }
    if (question != null) {
      return CompletableFuture.completedFuture(respond(name, question));
    }
    if (command == null || !mode.hasCommand(name)) {
      String reply = "unknown command: " + name + ".  Try `help'.\n";
      if (!stripped.isBlank()) {
        refused(command != null, RefusalReason.ILLEGAL_ARGUMENTS, reply, stripped, client, null);
      }
      return CompletableFuture.completedFuture(reply);
    }
    try {
      return command
          .run(stripped)
          .handle(
              (done, failure) -> failure == null ? "" : refused(name, stripped, client, failure));
    } catch (UnreadableHistogramException e) {
      String reply = refused(name, stripped, client, e);
      return CompletableFuture.completedFuture(errors.repliesUnreadable() ? reply : "");
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(refused(name, stripped, client, e));
    }
  }

  private static String stripped(String line) {
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  /** Whether a line has no other effect than its reply. */
  boolean onlyReplies(String line) {
    String name = nameIn(stripped(line));
    boolean stopsServer = name.equals("diediedie") && stops;
    boolean changes = name.equals(DROP_CACHES) || stopsServer;
    return !changes && !(commands.containsKey(name) && mode.hasCommand(name));
  }

  private static String nameIn(String line) {
    int space = line.indexOf(' ');
    return space < 0 ? line : line.substring(0, space);
  }

  /** Counts a line whose point is refused; returns the reply. */
  String refused(String name, String line, String client, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String why = name + ": " + Failures.ofLine(cause);
    refused(commands.containsKey(name), RefusalReason.of(cause), why, line, client, cause);
    return Failures.reply(name, cause);
  }

  private void refused(
      boolean isPoint,
      RefusalReason reason,
      String why,
      String line,
      String client,
      @Nullable Throwable cause) {
    if (isPoint) {
      refusals.point(reason, client, why.stripTrailing(), () -> line, cause);
    } else {
      refusals.write(reason, client, why.stripTrailing(), () -> line, cause);
    }
  }

  /**
   * Lines for which the memory did not suffice; returns the reply.
   *
   * @param points how many of them have a point
   */
  String refusedForMemory(int lines, int points, String client) {
    String reply = "out of memory: " + lines + " lines were not executed\n";
    for (int i = 0; i < lines; i++) {
      refused(i < points, RefusalReason.OVERLOADS, "out of memory", "", client, null);
    }
    return reply;
  }

  /** Whether a line is a point, or may be the beginning of one. */
  static boolean maybePoint(byte[] text, int from, int to) {
    for (byte[] command : POINTS) {
      int length = Math.min(command.length, to - from);
      if (length > 0 && Arrays.equals(text, from, from + length, command, 0, length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A line is not executed, whatever it is, and is counted.
   *
   * @param begun the line, or its beginning
   */
  public void refuse(RefusalReason reason, byte[] begun, String why, String client) {
    refused(
        maybePoint(begun, 0, begun.length),
        reason,
        why,
        new String(begun, charset()),
        client,
        null);
  }

  /** The statistics, as lines that can be put. */
  public String statistics() {
    return statistics.lines();
  }

  /**
   * A line is too long, and is not executed; returns the reply, which may be empty.
   *
   * @param begun its beginning
   * @param client the address of its sender, for the log
   */
  public String refuseLongLine(int maxBytes, byte[] begun, String client) {
    String why = "a line of more than " + maxBytes + " bytes";
    refuse(RefusalReason.ILLEGAL_ARGUMENTS, begun, why, client);
    return dialect.longLine(maxBytes);
  }

  /**
   * The connection has ended within a line, which is not executed: half a number must not be read
   * as a whole one. Returns the reply, which may be empty.
   *
   * @param begun what has arrived of the line
   */
  public String refuseUnendedLine(byte[] begun, String client) {
    String why = "a line without a line end, which may be incomplete";
    refuse(RefusalReason.ILLEGAL_ARGUMENTS, begun, why, client);
    return dialect.unendedLine(why);
  }

  /**
   * The connection's unexecuted lines have no room, and are dropped; returns the reply.
   *
   * @param begun what has arrived of them, or its beginning
   */
  public String refuseForRoom(byte[] begun, String client) {
    String why = "too many unfinished lines wait; the connection is closed";
    refuse(RefusalReason.OVERLOADS, begun, why, client);
    return "error: " + why + "\n";
  }

  /**
   * The reply to a line of {@code put} whose point was not stored, without its end.
   *
   * @param reason one that {@link org.hourstone.write.PointWriter} throws, or reports to a receipt
   */
  public static String refusalOfPut(RuntimeException reason) {
    return Failures.reply(PUT, reason).stripTrailing();
  }

  private static String respond(String name, Supplier<String> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      Failures.logUnlessForeseen(e);
      return Failures.reply(name, e);
    }
  }
}
