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

  /** All of them, by name. */
  static final Map<String, Command> ALL =
      new TreeMap<>(
          Map.of(
              "ingest",
              new Command(
                  "Stores the points of text lines in several ways, beside raw puts of the cells.",
                  IngestBench.DEFAULTS,
                  IngestBench::run),
              "size",
              new Command(
                  "Measures the bytes a point takes in files, beside VictoriaMetrics.",
                  SizeBench.DEFAULTS,
                  SizeBench::run),
              "query",
              new Command(
                  "Runs the queries Q1 to Q6, beside a plain scan of the same rows.",
                  QueryBench.DEFAULTS,
                  QueryBench::run),
              "restart",
              new Command(
                  "Measures the time to open a store after kill -9.",
                  RestartBench.DEFAULTS,
                  RestartBench::run),
              "peer",
              new Command(
                  "Sends the same points and queries to VictoriaMetrics and to the daemon.",
                  PeerBench.DEFAULTS,
                  PeerBench::run),
              "fleet",
              new Command(
                  "Measures what many series with few points cost, beside VictoriaMetrics.",
                  FleetBench.DEFAULTS,
                  FleetBench::run),
              "hbase",
              new Command(
                  "Writes to an HBase on this machine and queries it, beside OpenTSDB.",
                  HBaseBench.DEFAULTS,
                  HBaseBench::run),
              "names",
              new Command(
                  "Stores bodies of new series, with new names and with known ones.",
                  NamesBench.DEFAULTS,
                  NamesBench::run),
              "expire",
              new Command(
                  "Deletes nine tenths of a store under load, and kills the process while it does.",
                  ExpireBench.DEFAULTS,
                  ExpireBench::run),
              "years",
              new Command(
                  "Rolls many days up, and queries them with rollups and without.",
                  YearsBench.DEFAULTS,
                  YearsBench::run)));

  private Commands() {}

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
    switch (name) {
      case "help" -> Help.print(ALL, out);
      case "restart-fill" -> RestartBench.fill(given, out);
      case "restart-open" -> RestartBench.open(given, out);
      case "expire-open" -> ExpireBench.open(given, out);
      default -> {
        Command command = named(name);
        Arguments arguments = Arguments.parse(given, command.defaults());
        out.println(Machine.description());
        out.println(arguments);
        out.println();
        command.driver().run(arguments, out);
      }
    }
  }
}
