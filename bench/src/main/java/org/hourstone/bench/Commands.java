package org.hourstone.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.bench.Arguments.UsageException;

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
  static final Map<String, Command> ALL = new TreeMap<>();

  static {
    add("ingest", "Stores points in this process.", IngestBench.DEFAULTS, IngestBench::run);
    add("size", "Measures the bytes of a point in files.", SizeBench.DEFAULTS, SizeBench::run);
    add("query", "Queries in this process beside a scan.", QueryBench.DEFAULTS, QueryBench::run);
    add("peer", "Sends the same to VictoriaMetrics and us.", PeerBench.DEFAULTS, PeerBench::run);
    add("fleet", "Sends many series with few points.", FleetBench.DEFAULTS, FleetBench::run);
    add("hbase", "Compares with OpenTSDB on HBase.", HBaseBench.DEFAULTS, HBaseBench::run);
    add("expire", "Deletes nine tenths under kills.", ExpireBench.DEFAULTS, ExpireBench::run);
    add("years", "Rolls many days up and queries them.", YearsBench.DEFAULTS, YearsBench::run);
  }

  private Commands() {}

  private static void add(String name, String does, Map<String, String> defaults, Driver driver) {
    ALL.put(name, new Command(does, defaults, driver));
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
    switch (name) {
      case "help" -> Help.print(ALL, out);
      case "expire-open" -> ExpireBench.open(given, out);
      default -> {
        Command command = named(name);
        Arguments arguments = Arguments.parse(given, command.defaults());
        out.println(machine());
        out.println(arguments);
        out.println();
        command.driver().run(arguments, out);
      }
    }
  }

  /** JVM, processors, heap, operating system, and how busy it was just before. */
  private static String machine() {
    return String.format(
        Locale.ROOT,
        "JVM %s, %d processors, heap %d MiB, %s %s, load %.1f",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20,
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
