package org.hourstone.bench;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.QuerySettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.query.Query;

/**
 * Asks the same questions of ever more data of one metric in RocksDB: more series, a longer range,
 * or more hours outside the range. The CPU time per series or hour shows whether a cost grows with
 * them, faster, or not at all.
 */
final class GrowthBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "by", "series", // or range, outside
          "series", "10000,100000", // one number unless by series
          "hours", "1", // one number by series
          "step", "600", // seconds between two points of a series
          "rounds", "5", // in each the database is opened again
          "dir", "");

  /** Questions that take less are repeated: the CPU time of a process is known to 10 ms. */
  private static final double LEAST_SECONDS = 0.2;

  /** A question, and how it is shown. */
  private record Asked(String name, String expression) {}

  /** CPU milliseconds of a question: the first time after opening, and once it was asked before. */
  private record Costs(List<Double> first, List<Double> again) {
    Costs() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private static final List<Asked> QUESTIONS =
      List.of(
          new Asked("one series", "sum:%s{host=h7}"),
          new Asked("one host by regular expression", "sum:%s{host=regexp(^h77$)}"),
          new Asked("hosts of a data center by wildcard", "sum:%s{dc=dc7,host=wildcard(*777)}"),
          new Asked("all, by data center", "sum:%s{dc=*}"),
          new Asked("all, by host", "none:%s"));

  private GrowthBench() {}

  static void run(Arguments parsed, PrintStream out) throws IOException {
    Growth growth = Growth.of(parsed.text("by"));
    List<FleetRows> sizes = sizes(parsed);
    measure(growth, sizes.get(0), 1, parsed.text("dir")); // the program is interpreted at first
    out.printf(
        "| %s | | first, CPU ms | %s | again, CPU ms | %2$s |%n", growth.counted(), growth.unit());
    out.println("|---|---|---|---|---|---|");
    List<Map<Asked, Costs>> measured = new ArrayList<>();
    for (FleetRows rows : sizes) {
      Map<Asked, Costs> costs = measure(growth, rows, parsed.number("rounds"), parsed.text("dir"));
      costs.forEach((asked, cost) -> print(growth, rows, asked, cost, out));
      measured.add(costs);
    }
    for (Asked asked : QUESTIONS) {
      List<Costs> costs =
          measured.stream().map(each -> each.getOrDefault(asked, new Costs())).toList();
      chart(
          asked.name() + ", first", growth, sizes, costs.stream().map(Costs::first).toList(), out);
      chart(
          asked.name() + ", again", growth, sizes, costs.stream().map(Costs::again).toList(), out);
    }
  }

  private static List<FleetRows> sizes(Arguments arguments) {
    int step = arguments.number("step");
    return numbers(arguments.text("series"))
        .flatMap(
            series ->
                numbers(arguments.text("hours")).map(hours -> new FleetRows(series, hours, step)))
        .toList();
  }

  private static Stream<Integer> numbers(String list) {
    return Stream.of(list.split(",")).map(Integer::valueOf);
  }

  /** Without limits of memory: all series may be returned. */
  static TsdbOptions unlimited() {
    return Form.PACKS
        .options()
        .with(QuerySettings.QUERY_MEMORY_BYTES, "0")
        .with(QuerySettings.QUERY_TOTAL_MEMORY_BYTES, "0");
  }

  private static Map<Asked, Costs> measure(Growth growth, FleetRows rows, int rounds, String parent)
      throws IOException {
    Map<Asked, Costs> costs = new LinkedHashMap<>();
    QUESTIONS.forEach(asked -> costs.put(asked, new Costs()));
    try (WorkDirectory work = WorkDirectory.create(parent)) {
      String uri = "rocksdb:" + work.path().resolve("store");
      try (Tsdb db = Tsdb.open(uri, Form.PACKS.options())) {
        rows.writeTo(db);
      }
      for (int round = 0; round < rounds; round++) {
        try (Tsdb db = Tsdb.open(uri, unlimited())) {
          costs.forEach(
              (asked, cost) -> {
                Question question = question(growth, rows, asked);
                cost.first().add(Meter.measure(() -> question.ask(db)).cpu() * 1e3);
                cost.again().add(repeated(question, db) * 1e3);
              });
        }
      }
    }
    return costs;
  }

  private static Question question(Growth growth, FleetRows rows, Asked asked) {
    Query query =
        Query.parse(String.format(Locale.ROOT, asked.expression(), FleetRows.METRIC))
            .betweenMillis(growth.start(rows) * 1000, growth.end(rows) * 1000 - 1);
    return new Question(asked.name(), List.of(query), "");
  }

  /** The mean CPU seconds of a question. */
  private static double repeated(Question question, Tsdb db) {
    int[] times = {0};
    Cost cost =
        Meter.measure(
            () -> {
              long end = System.nanoTime() + (long) (LEAST_SECONDS * 1e9);
              do {
                question.ask(db);
                times[0]++;
              } while (System.nanoTime() < end);
            });
    return cost.cpu() / times[0];
  }

  private static void print(
      Growth growth, FleetRows rows, Asked asked, Costs costs, PrintStream out) {
    Spread first = Spread.of(costs.first(), each -> each);
    Spread again = Spread.of(costs.again(), each -> each);
    out.printf(
        Locale.ROOT,
        "| %,d | %s | %s | %s | %s | %s |%n",
        growth.count(rows),
        asked.name(),
        first.text(1),
        Digits.three(growth.perUnit(first.median(), rows)),
        again.text(2),
        Digits.three(growth.perUnit(again.median(), rows)));
  }

  private static void chart(
      String title,
      Growth growth,
      List<FleetRows> sizes,
      List<List<Double>> millis,
      PrintStream out) {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < millis.size(); i++) {
      micros.add(growth.perUnit(Spread.of(millis.get(i), each -> each).median(), sizes.get(i)));
    }
    String counts = sizes.stream().map(rows -> "" + growth.count(rows)).collect(joining(", "));
    Chart.print(title, growth.counted(), counts, "CPU " + growth.unit(), micros, out);
  }
}
