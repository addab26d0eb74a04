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
   * @param does one sentence for the help
   * @param defaults its arguments, which all have a default
   */
  record Command(String does, Map<String, String> defaults, Driver driver) {}

  /** Those that may be started by hand. */
  static final Map<String, Command> ALL =
      new TreeMap<>(
          Map.ofEntries(
              entry(
                  "ingest",
                  "Stores the points of text lines in several ways, beside raw puts of the same cells.",
                  IngestBench.DEFAULTS,
                  IngestBench::run),
              entry(
                  "handles",
                  "Stores points through series handles, with few series and with many.",
                  HandlesBench.DEFAULTS,
                  HandlesBench::run),
              entry(
                  "size",
                  "Measures the bytes a point takes in the files of each store.",
                  SizeBench.DEFAULTS,
                  SizeBench::run),
              entry(
                  "command",
                  "Measures the CPU time of the commands import and put.",
                  CommandBench.DEFAULTS,
                  CommandBench::run),
              entry(
                  "query",
                  "Runs the queries Q1 to Q6, beside a plain scan of the same rows.",
                  QueryBench.DEFAULTS,
                  QueryBench::run),
              entry(
                  "cores",
                  "Runs the queries Q1 to Q6 on one processor and on two.",
                  CoresBench.DEFAULTS,
                  CoresBench::run),
              entry(
                  "series",
                  "Queries one host of many, with the series index and without it.",
                  SeriesBench.DEFAULTS,
                  SeriesBench::run),
              entry(
                  "growth",
                  "Runs the same queries over a growing number of series or hours.",
                  GrowthBench.DEFAULTS,
                  GrowthBench::run),
              entry(
                  "restart",
                  "Measures the time to open a store after kill -9.",
                  RestartBench.DEFAULTS,
                  RestartBench::run),
              entry(
                  "large",
                  "Queries more points than the heap has room for.",
                  LargeQueryBench.DEFAULTS,
                  LargeQueryBench::run),
              entry(
                  "forms",
                  "Stores the same points as single cells, multi-point cells and appends, and queries them.",
                  FormsBench.DEFAULTS,
                  FormsBench::run),
              entry(
                  "attack",
                  "Sends requests that exceed limits, and measures a small query at the same time.",
                  AttackBench.DEFAULTS,
                  AttackBench::run),
              entry(
                  "daemon-attack",
                  "Attacks a daemon with bad connections and heavy queries, and measures small requests.",
                  DaemonAttackBench.DEFAULTS,
                  DaemonAttackBench::run),
              entry(
                  "peer",
                  "Sends the same points and queries to VictoriaMetrics and to the daemon.",
                  PeerBench.DEFAULTS,
                  PeerBench::run),
              entry(
                  "hbase",
                  "Writes to an HBase on this machine and queries it, beside OpenTSDB.",
                  HBaseBench.DEFAULTS,
                  HBaseBench::run)));

  /** Those that a measurement starts in a process of its own. */
  private static final Map<String, Command> CHILDREN =
      Map.ofEntries(
          child("cores-ask", CoresBench.ASK_DEFAULTS, CoresBench::ask),
          child("large-ask", LargeQueryBench.ASK_DEFAULTS, LargeQueryBench::ask),
          child("memory-fill", MemoryFill.DEFAULTS, MemoryFill::run),
          child("restart-fill", RestartProcess.FILL_DEFAULTS, RestartProcess::fill),
          child("restart-open", RestartProcess.OPEN_DEFAULTS, RestartProcess::open));

  private Commands() {}

  private static Map.Entry<String, Command> entry(
      String name, String does, Map<String, String> defaults, Driver driver) {
    return Map.entry(name, new Command(does, defaults, driver));
  }

  private static Map.Entry<String, Command> child(
      String name, Map<String, String> defaults, Driver driver) {
    return entry(name, "", defaults, driver);
  }

  /**
   * One of {@link #ALL}.
   *
   * @throws UsageException if there is none of this name
   */
  static Command named(String name) {
    Command command = ALL.get(name);
    if (command == null) {
      throw new UsageException("command '" + name + "': must be one of " + ALL.keySet());
    }
    return command;
  }

  /** See {@code docs/performance.md} for the commands and their arguments. */
  public static void main(String[] words) throws Exception {
    try {
      run(words, System.out);
    } catch (UsageException e) {
      System.err.println("bench/run: " + e.getMessage() + "; bench/run help lists them");
      System.exit(2);
    }
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
      Help.print(ALL, out);
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
