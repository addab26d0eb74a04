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
final class LargeQueryBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "series", "1000",
          "hours", "278",
          "step", "10",
          "heap", "256", // MiB, of the process that asks
          "rounds", "5",
          "dir", "");

  /** With the URI of the store to ask. */
  static final Map<String, String> ASK_DEFAULTS = Child.with(DEFAULTS, "uri");

  private LargeQueryBench() {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      String uri = "rocksdb:" + work.path().resolve("store");
      try (Tsdb db = Tsdb.open(uri, Form.PACKS.options())) {
        FleetRows.of(arguments).writeTo(db);
      }
      List<String> heap = List.of("-Xmx" + arguments.number("heap") + "m");
      try (Child child = Child.start(List.of(), heap, arguments.words("large-ask", "uri", uri))) {
        child.lines().forEach(out::println);
        child.await();
      }
    }
  }

  static void ask(Arguments arguments, PrintStream out) {
    FleetRows rows = FleetRows.of(arguments);
    out.printf(Locale.ROOT, "%,d points, median (min–max):%n%n", rows.points());
    out.println("| | returned | s | CPU, s | CPU, ns a point |");
    out.println("|---|---|---|---|---|");
    long start = DevopsWorkload.START * 1000;
    long end = start + rows.hours() * 3_600_000L - 1;
    try (Tsdb db = Tsdb.open(arguments.text("uri"))) {
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
        for (int round = 0; round < arguments.number("rounds"); round++) {
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
