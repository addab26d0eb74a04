package org.hourstone.bench;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/** The text of {@code bench/run help}. */
final class Help {
  /** The values of arguments for which not every number or text is one. */
  static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("coded", "true or false"),
          Map.entry("dir", "a directory for input and stores; empty for temporary files"),
          Map.entry("form", "single or compacted"),
          Map.entry("heap", "of the daemon, such as 1g; empty for its default"),
          Map.entry("inputs", "TELNET, JSON, INFLUX, REMOTE_WRITE"),
          Map.entry("kind", "int, or dec: two decimals"),
          Map.entry("order", "time; series, or shuffled within each hour"),
          Map.entry("parts", "write, query"),
          Map.entry("questions", "Q1 to Q6"),
          Map.entry("store", "rocksdb or hbase"),
          Map.entry("ways", "all by default; see docs/performance.md"));

  private Help() {}

  static void print(Map<String, Commands.Command> commands, PrintStream out) {
    out.println("bench/run [--write|--profile] COMMAND [--NAME VALUE]...");
    out.println("bench/run jmh ARGUMENTS: the microbenchmarks; their list with -l");
    out.println();
    out.println("Each argument is shown with its default. Several values are separated by commas.");
    commands.forEach(
        (name, command) -> {
          out.println();
          out.println(name + ": " + command.does());
          new TreeMap<>(command.defaults())
              .forEach((argument, value) -> out.println(line(argument, value)));
        });
  }

  private static String line(String argument, String value) {
    String line = ("  --" + argument + " " + value).stripTrailing();
    String values = VALUES.get(argument);
    return values == null ? line : line + "   (" + values + ")";
  }
}
