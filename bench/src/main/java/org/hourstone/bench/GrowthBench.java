package org.hourstone.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.QuerySettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Action;
import org.hourstone.bench.Meter.Cost;

/**
 * Asks the same questions of ever more data of one metric: more series, a longer range, more hours
 * outside the range, or more series that come and go; and scans the same rows without our store.
 * The CPU time per series or hour shows whether a cost grows with them, faster, or not at all.
 */
final class GrowthBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "store", "rocksdb", // or several of memory, rocksdb, hbase
          "by", "series", // or range, outside, churn
          "series", "10000,100000", // one number by range and outside
          "hours", "1", // one number by series, none by churn
          "step", "600", // seconds between two points of a series
          "rounds", "5", // in each the database is opened again
          "dir", "");

  /** Actions that take less are repeated. */
  private static final double LEAST_SECONDS = 0.2;

  /**
   * CPU milliseconds of Java's threads for a question, which are known to the nanosecond, while
   * those of the process are known to 10 ms.
   *
   * @param first the first time after opening
   * @param again once it was asked before
   */
  private record Costs(List<Double> first, List<Double> again) {
    Costs() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Action action) {
      first.add(Meter.measure(action).threadCpu() * 1e3);
      again.add(repeated(action) * 1e3);
    }
  }

  private final Growth growth;
  private final Subject subject;
  private final List<FleetRows> sizes = new ArrayList<>();

  private GrowthBench(Subject subject, Arguments arguments) {
    this.growth = Growth.of(arguments.text("by"));
    this.subject = subject;
    for (String series : arguments.list("series")) {
      for (String hours : arguments.list("hours")) {
        sizes.add(
            growth.rows(
                Integer.parseInt(series), Integer.parseInt(hours), arguments.number("step")));
      }
    }
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    for (String store : arguments.list("store")) {
      try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
          Subject subject = Subject.of(store, work)) {
        new GrowthBench(subject, arguments).run(store, arguments.number("rounds"), out);
      }
    }
  }

  private void run(String store, int rounds, PrintStream out) throws Exception {
    measure(sizes.get(0), 1); // the program is interpreted at first
    out.printf(
        "| %s, %s | | first, CPU ms | %s | again, CPU ms | %3$s |%n",
        store, growth.counted(), growth.unit());
    out.println("|---|---|---|---|---|---|");
    List<Map<String, Costs>> measured = new ArrayList<>();
    for (FleetRows rows : sizes) {
      Map<String, Costs> costs = measure(rows, rounds);
      costs.forEach((name, cost) -> print(rows, name, cost, out));
      measured.add(costs);
    }
    chart(store + ", first", measured, Costs::first, out);
    chart(store + ", again", measured, Costs::again, out);
  }

  /** Without limits of memory: all series may be returned. */
  private static TsdbOptions unlimited() {
    return Form.PACKS
        .options()
        .with(QuerySettings.QUERY_MEMORY_BYTES, "0")
        .with(QuerySettings.QUERY_TOTAL_MEMORY_BYTES, "0");
  }

  private Map<String, Costs> measure(FleetRows rows, int rounds) throws Exception {
    Map<String, Costs> costs = new LinkedHashMap<>();
    Map<String, Question> questions = growth.questions(rows);
    try (Place place = subject.place()) {
      try (Tsdb db = place.open(Form.PACKS.options())) {
        rows.writeTo(db);
      }
      for (int round = 0; round < rounds; round++) {
        try (Tsdb db = place.open(unlimited());
            Place.RawScan raw = place.rawScan()) {
          questions.forEach(
              (name, question) ->
                  costs.computeIfAbsent(name, n -> new Costs()).add(() -> question.ask(db)));
          Question all = questions.values().iterator().next();
          costs
              .computeIfAbsent("all rows, scanned without our store", n -> new Costs())
              .add(() -> all.scanRaw(db, raw));
        }
      }
    }
    return costs;
  }

  /** The mean CPU seconds of an action. */
  private static double repeated(Action action) {
    int[] times = {0};
    Cost cost =
        Meter.measure(
            () -> {
              long end = System.nanoTime() + (long) (LEAST_SECONDS * 1e9);
              do {
                action.run();
                times[0]++;
              } while (System.nanoTime() < end);
            });
    return cost.threadCpu() / times[0];
  }

  private void print(FleetRows rows, String name, Costs costs, PrintStream out) {
    Spread first = Spread.of(costs.first(), each -> each);
    Spread again = Spread.of(costs.again(), each -> each);
    out.printf(
        Locale.ROOT,
        "| %,d | %s | %s | %s | %s | %s |%n",
        growth.count(rows),
        name,
        first.text(2),
        Digits.three(growth.perUnit(first.median(), rows)),
        again.text(2),
        Digits.three(growth.perUnit(again.median(), rows)));
  }

  /** A line for each question: a level one is a cost in proportion to what is counted. */
  private void chart(
      String title,
      List<Map<String, Costs>> measured,
      Function<Costs, List<Double>> figure,
      PrintStream out) {
    List<List<Double>> lines = new ArrayList<>();
    for (String name : measured.get(0).keySet()) {
      List<Double> line = new ArrayList<>();
      for (int i = 0; i < sizes.size(); i++) {
        Costs costs = measured.get(i).getOrDefault(name, new Costs());
        double median = Spread.of(figure.apply(costs), each -> each).median();
        line.add(growth.perUnit(median, sizes.get(i)));
      }
      double least = line.get(0);
      lines.add(line.stream().map(each -> each / least).toList());
    }
    List<String> counts = sizes.stream().map(rows -> "" + growth.count(rows)).toList();
    Chart.lines(
        title + ": a line for each query and the scan",
        growth.counted(),
        counts,
        growth.unit() + ", with the fewest = 1",
        lines,
        out);
  }
}
