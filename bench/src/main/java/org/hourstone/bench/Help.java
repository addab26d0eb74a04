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
          Map.entry("daemon", "starts the command line: words separated by blanks"),
          Map.entry("dir", "a directory for input and stores; empty for temporary files"),
          Map.entry("flush", "seconds for which packs, those of a journal and appends wait"),
          Map.entry("form", "single or compacted"),
          Map.entry("heap", "of the daemon, such as 1g; empty for its default"),
          Map.entry("inputs", "TELNET, JSON, INFLUX, REMOTE_WRITE, OTLP"),
          Map.entry("kind", "int, or dec: two decimals"),
          Map.entry("order", "time, or series: all points of one, then of the next"),
          Map.entry("parts", "write, query"),
          Map.entry("points", "of each series in an hour"),
          Map.entry("repeat", "of each question, cold; 0 asks none"),
          Map.entry("rounds", "that count; of peer, of each question, warm; 0 asks none"),
          Map.entry("set", "a setting of the daemon, key=value"),
          Map.entry("step", "seconds between points of a series"),
          Map.entry("warm-runs", "of a question before it is measured warm, or"),
          Map.entry("warm-seconds", "so much CPU time, whichever comes first"),
          Map.entry("warmup", "rounds that do not count"),
          Map.entry("ways", "those shown, or some of them"));

  private Help() {}

  static void print(Map<String, Commands.Command> commands, PrintStream out) {
    out.println("bench/run [--write] COMMAND [--NAME VALUE]...");
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
