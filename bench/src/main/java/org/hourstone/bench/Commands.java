package org.hourstone.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The measurements, by the names that {@code bench/run} takes. */
public final class Commands {
  /** Measures something and prints what it has found. */
  @FunctionalInterface
  interface Driver {
    void run(Arguments arguments, PrintStream out) throws Exception;
  }

  /**
   * A measurement.
   *
   * @param defaults its arguments, which all have a default
   */
  record Command(Map<String, String> defaults, Driver driver) {}

  /** Those that may be started by hand. */
  static final Map<String, Command> ALL =
      new TreeMap<>(
          Map.ofEntries(
              entry("ingest", IngestBench.DEFAULTS, IngestBench::run),
              entry("handles", HandlesBench.DEFAULTS, HandlesBench::run),
              entry("size", SizeBench.DEFAULTS, SizeBench::run),
              entry("command", CommandBench.DEFAULTS, CommandBench::run),
              entry("query", QueryBench.DEFAULTS, QueryBench::run),
              entry("cores", CoresBench.DEFAULTS, CoresBench::run),
              entry("series", SeriesBench.DEFAULTS, SeriesBench::run),
              entry("growth", GrowthBench.DEFAULTS, GrowthBench::run),
              entry("restart", RestartBench.DEFAULTS, RestartBench::run),
              entry("large", LargeQueryBench.DEFAULTS, LargeQueryBench::run),
              entry("forms", FormsBench.DEFAULTS, FormsBench::run),
              entry("attack", AttackBench.DEFAULTS, AttackBench::run),
              entry("daemon-attack", DaemonAttackBench.DEFAULTS, DaemonAttackBench::run),
              entry("peer", PeerBench.DEFAULTS, PeerBench::run),
              entry("hbase", HBaseBench.DEFAULTS, HBaseBench::run)));

  /** Those that a measurement starts in a process of its own. */
  private static final Map<String, Command> CHILDREN =
      Map.ofEntries(
          entry("cores-ask", CoresBench.ASK_DEFAULTS, CoresBench::ask),
          entry("large-ask", LargeQueryBench.ASK_DEFAULTS, LargeQueryBench::ask),
          entry("memory-fill", MemoryFill.DEFAULTS, MemoryFill::run),
          entry("restart-fill", RestartProcess.FILL_DEFAULTS, RestartProcess::fill),
          entry("restart-open", RestartProcess.OPEN_DEFAULTS, RestartProcess::open));

  private Commands() {}

  private static Map.Entry<String, Command> entry(
      String name, Map<String, String> defaults, Driver driver) {
    return Map.entry(name, new Command(defaults, driver));
  }

  /**
   * One of {@link #ALL}.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  static Command named(String name) {
    Command command = ALL.get(name);
    if (command == null) {
      throw new IllegalArgumentException("'" + name + "': must be one of " + ALL.keySet());
    }
    return command;
  }

  /** See {@code docs/performance.md} for the commands and their arguments. */
  public static void main(String[] words) throws Exception {
    run(words, System.out);
  }

  /**
   * @param words a command and its arguments
   */
  static void run(String[] words, PrintStream out) throws Exception {
    String name = words.length == 0 ? "" : words[0];
    String[] given = Arrays.copyOfRange(words, Math.min(1, words.length), words.length);
    Command child = CHILDREN.get(name);
    if (child != null) {
      child.driver().run(Arguments.parse(given, child.defaults()), out);
      return;
    }
    if (name.equals("help")) {
      ALL.forEach((each, command) -> out.println(each + " " + new TreeMap<>(command.defaults())));
      return;
    }
    Command command = named(name);
    Arguments arguments = Arguments.parse(given, command.defaults());
    out.println(Machine.description());
    out.println(arguments);
    out.println();
    command.driver().run(arguments, out);
  }
}
