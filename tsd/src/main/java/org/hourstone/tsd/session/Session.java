package org.hourstone.tsd.session;

import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.api.request.JobCommands.JobOutput;
import org.hourstone.tsd.terminal.StatusLine;
import org.hourstone.tsd.terminal.Streams;
import org.hourstone.tsd.terminal.TextOutput;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/** The context of a command: its streams, its settings, its store and its end. For one thread. */
public final class Session {
  private final Streams streams;
  private final InstantSource clock;
  private final TextOutput out;
  private final PrintStream err;
  private final StatusLine status;
  private final GlobalOptions global;
  private final Ending ending;
  private final GivenSettings settings;
  private final GivenStore store;
  private final Commands commands;
  private final @Nullable JobOutput job;
  private @Nullable List<String> held;
  private System.@Nullable Logger log;

  /** The context of a command that executes no others. */
  public Session(GlobalOptions global, Streams streams, InstantSource clock) {
    this(global, streams, clock, Commands.none());
  }

  /**
   * @param commands of the program
   */
  public Session(GlobalOptions global, Streams streams, InstantSource clock, Commands commands) {
    this.commands = commands;
    this.streams = streams;
    this.clock = clock;
    this.status = new StatusLine(streams);
    this.out = new TextOutput(status.before(streams.out(), streams.outIsTerminal()));
    this.err = new PrintStream(status.before(streams.err(), false), true, StandardCharsets.UTF_8);
    this.global = global;
    this.ending = new Ending(streams, status, err);
    this.settings = new GivenSettings(global, streams.environment(), clock, this::report);
    this.store = new GivenStore(settings, clock, this::report);
    this.job = null;
  }

  private Session(Streams streams, Session daemon, Tsdb db, JobOutput job) {
    this.streams = streams;
    this.clock = daemon.clock;
    this.status = new StatusLine(streams);
    this.out = new TextOutput(streams.out());
    this.err = new PrintStream(streams.err(), true, StandardCharsets.UTF_8);
    this.global = daemon.global;
    this.ending = new Ending(streams, status, err);
    this.settings = new GivenSettings(global, daemon.settings);
    this.store = GivenStore.of(db, settings, clock, this::report);
    this.job = job;
    this.commands = daemon.commands;
  }

  /**
   * The context of a command that a daemon executes as a job, over its own database.
   *
   * @param daemon the daemon's own
   */
  static Session ofJob(Streams streams, Session daemon, Tsdb db, JobOutput job) {
    return new Session(streams, daemon, db, job);
  }

  /** The job that the command is; null if it is not a job. */
  public @Nullable JobOutput job() {
    return job;
  }

  /** The commands of the program. */
  public Commands commands() {
    return commands;
  }

  /** The options of the program. */
  public GlobalOptions global() {
    return global;
  }

  /** How the command and its process end. */
  public Ending ending() {
    return ending;
  }

  /** The settings, and the URI of the store. */
  public GivenSettings settings() {
    return settings;
  }

  /** Opens the store. */
  public GivenStore store() {
    return store;
  }

  public Streams streams() {
    return streams;
  }

  public TextOutput out() {
    return out;
  }

  /** Whether standard input is a terminal, as reported by the launcher. */
  public boolean inIsTerminal() {
    return Boolean.getBoolean("hourstone.stdin.terminal");
  }

  /** Standard error, one write per line. */
  public PrintStream err() {
    return err;
  }

  /** The line that shows progress on a terminal. */
  public StatusLine status() {
    return status;
  }

  public InstantSource clock() {
    return clock;
  }

  /** Prints a warning on standard error, or logs it. */
  public void report(String what) {
    String line = SingleLine.of(what);
    if (held != null) {
      held.add(line);
    } else if (log != null) {
      log.log(Level.WARNING, line);
    } else {
      err.println("hourstone: " + line);
    }
  }

  /** Warnings wait until {@link #reportTo}. */
  public void holdReports() {
    held = new ArrayList<>();
  }

  /**
   * From now on warnings are logged, those that wait, too.
   *
   * @param to null to print them
   */
  public void reportTo(System.@Nullable Logger to) {
    List<String> waiting = held == null ? List.of() : held;
    held = null;
    log = to;
    waiting.forEach(this::report);
  }

  /**
   * Prints an error, with the stack trace if requested.
   *
   * @return the exit code for it
   */
  public int report(Throwable e) {
    Problem problem = Problem.of(e);
    report(problem.message());
    if (global.debug) {
      e.printStackTrace(err);
    }
    return problem.exitCode();
  }
}
