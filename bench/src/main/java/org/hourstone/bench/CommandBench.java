package org.hourstone.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The CPU time of {@code hourstone import} and {@code hourstone put -} on the workload W1, each run
 * into a new store on RocksDB: beyond that of their first lines, which is mostly starting.
 */
final class CommandBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100", // of W1
          "hours", "24",
          "kind", "int", // or dec: two decimals
          "ways", "import,put",
          "rounds", "5",
          "command", "./hourstone",
          "dir", "");

  private static final int FIRST_LINES = 1000;

  private CommandBench() {}

  /**
   * CPU seconds.
   *
   * @param first of a process that stores the first lines only
   */
  private record Cost(double all, double first) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    HourstoneCommand command = new HourstoneCommand(arguments.text("command"));
    DevopsWorkload workload = DevopsWorkload.of(arguments);
    out.printf("%d points%n%n", workload.points());
    List<String> ways = List.of(arguments.text("ways").split(","));
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      Path lines = work.path().resolve("lines");
      workload.writeTo(lines);
      write(lines, "", FIRST_LINES, work.path().resolve("import.first"));
      write(lines, "put ", FIRST_LINES, work.path().resolve("put.first"));
      write(lines, "put ", Long.MAX_VALUE, work.path().resolve("put"));
      Files.move(lines, work.path().resolve("import"));
      run(command, "import", "import.first", work); // the script may have to build the program
      for (int round = 0; round < arguments.number("rounds"); round++) {
        for (String way : ways) {
          Cost cost =
              new Cost(run(command, way, way, work), run(command, way, way + ".first", work));
          costs.computeIfAbsent(way, w -> new ArrayList<>()).add(cost);
        }
      }
    }
    print(costs, workload.points(), out);
  }

  private static void write(Path lines, String prefix, long most, Path to) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(lines);
        BufferedWriter out = Files.newBufferedWriter(to)) {
      String line = in.readLine();
      for (long i = 0; i < most && line != null; i++) {
        out.write(prefix + line + '\n');
        line = in.readLine();
      }
    }
  }

  /** Stores the lines of a file, and returns the CPU seconds. */
  private static double run(HourstoneCommand command, String way, String file, WorkDirectory work)
      throws IOException {
    try (WorkDirectory directory = work.inner("store")) {
      Path input = work.path().resolve(file);
      return command.run(
          "rocksdb:" + directory.path().resolve("data"),
          List.of(way, way.equals("put") ? "-" : "" + input),
          input,
          directory.path().resolve("log"));
    }
  }

  private static void print(Map<String, List<Cost>> costs, long points, PrintStream out) {
    double millions = (points - FIRST_LINES) / 1e6;
    out.println("CPU seconds of the process, median (min–max):");
    out.println();
    out.println("| | the first 1,000 lines | a million points beyond them |");
    out.println("|---|---|---|");
    costs.forEach(
        (way, runs) ->
            out.printf(
                "| `%s` | %s | %s |%n",
                way,
                Spread.of(runs, Cost::first).text(2),
                Spread.of(runs, cost -> (cost.all() - cost.first()) / millions).text(2)));
  }
}
