package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;

/** Queries over far more points than the heap could hold, by a process with a small heap. */
public final class LargeQueryBench {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "1000",
          "hours", "278",
          "step", "10",
          "heap", "256", // MiB, of the process that asks
          "rounds", "5",
          "dir", "",
          "store", ""); // in the process that asks: the one to ask

  private LargeQueryBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Arguments parsed = Arguments.parse(arguments, DEFAULTS);
    FleetRows rows =
        new FleetRows(parsed.number("hosts"), parsed.number("hours"), parsed.number("step"));
    if (!parsed.text("store").isEmpty()) {
      ask(parsed.text("store"), rows, parsed.number("rounds"), System.out);
      return;
    }
    try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
      System.out.println(Machine.description());
      System.out.println(parsed);
      String uri = "rocksdb:" + work.path().resolve("store");
      System.out.println();
      try (Tsdb db = Tsdb.open(uri, Form.PACKS.options())) {
        rows.writeTo(db);
      }
      System.exit(askWithSmallHeap(uri, parsed));
    }
  }

  private static int askWithSmallHeap(String uri, Arguments arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("-Xmx" + arguments.number("heap") + "m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LargeQueryBench.class.getName());
    for (String name : List.of("hosts", "hours", "step", "rounds")) {
      command.addAll(List.of(name, arguments.text(name)));
    }
    command.addAll(List.of("store", uri));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static void ask(String uri, FleetRows rows, int rounds, PrintStream out) {
    out.printf(Locale.ROOT, "%,d points, median (min–max):%n%n", rows.points());
    out.println("| | returned | s | CPU, s | CPU, ns a point |");
    out.println("|---|---|---|---|---|");
    long start = DevopsWorkload.START * 1000;
    long end = start + rows.hours() * 3_600_000L - 1;
    try (Tsdb db = Tsdb.open(uri)) {
      for (String expression :
          List.of(
              "sum:1h-avg:fleet.load",
              "max:5m-avg:fleet.load{dc=*}",
              "sum:fleet.load",
              "sum:1h-p99:fleet.load{dc=*}",
              "avg:0all-sum:fleet.load{host=*}")) {
        Question question =
            new Question(
                expression, List.of(Query.parse(expression).betweenMillis(start, end)), "");
        Question.Outcome[] outcome = new Question.Outcome[1];
        List<Cost> costs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
          costs.add(Meter.measure(() -> outcome[0] = question.ask(db)));
        }
        out.printf(
            Locale.ROOT,
            "| `%s` | %,d | %s | %s | %s |%n",
            expression,
            outcome[0].points(),
            Spread.of(costs, Cost::seconds).text(1),
            Spread.of(costs, Cost::cpu).text(1),
            Spread.of(costs, cost -> cost.cpu() * 1e9 / rows.points()).text(0));
      }
      refused(db, Query.parse("none:fleet.load").betweenMillis(start, end), out);
    }
  }

  /** A result that is too large for the heap. */
  private static void refused(Tsdb db, Query query, PrintStream out) {
    try {
      new Question("all", List.of(query), "").ask(db);
      out.println("| `none:fleet.load` | all | | | |");
    } catch (QueryLimitException e) {
      out.println("| `none:fleet.load` | refused: " + e.getMessage() + " | | | |");
    }
  }
}
