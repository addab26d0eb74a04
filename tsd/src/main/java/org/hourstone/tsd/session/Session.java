package org.hourstone.tsd.session;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.hourstone.tsd.terminal.StatusLine;
import org.hourstone.tsd.terminal.Streams;
import org.hourstone.tsd.terminal.TextOutput;
import org.hourstone.write.SingleLine;

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

  public Session(GlobalOptions global, Streams streams, InstantSource clock) {
    this.streams = streams;
    this.clock = clock;
    this.status = new StatusLine(streams);
    this.out = new TextOutput(status.before(streams.out(), streams.outIsTerminal()));
    this.err = new PrintStream(status.before(streams.err(), false), true, StandardCharsets.UTF_8);
    this.global = global;
    this.ending = new Ending(streams, status, err);
    this.settings = new GivenSettings(global, streams.environment(), clock, this::report);
    this.store = new GivenStore(settings, clock, this::report);
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

  /** Prints a warning on standard error. */
  public void report(String what) {
    err.println("hourstone: " + SingleLine.of(what));
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
