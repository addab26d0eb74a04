package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;

/**
 * Asks the same questions of ever more series of one metric, in RocksDB, each time from a new
 * start: the CPU time per series shows whether a cost grows with the series, faster, or not at all.
 */
public final class GrowthBench {
  private static final Map<String, String> DEFAULTS =
      Map.of("series", "10000,100000", "again", "20", "dir", "");

  /** A question, and how it is shown. */
  private record Asked(String name, String expression) {}

  /** CPU microseconds for each series of the metric. */
  private record PerSeries(double first, double again) {}

  private static final List<Asked> QUESTIONS =
      List.of(
          new Asked("one series", "sum:%s{host=h7}"),
          new Asked("one host by regular expression", "sum:%s{host=regexp(^h77$)}"),
          new Asked("hosts of a data center by wildcard", "sum:%s{dc=dc7,host=wildcard(*777)}"),
          new Asked("all, by data center", "sum:%s{dc=*}"),
          new Asked("all, by host", "none:%s"));

  private GrowthBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException {
    run(arguments, System.out);
  }

  static void run(String[] arguments, PrintStream out) throws IOException {
    Arguments parsed = Arguments.parse(arguments, DEFAULTS);
    out.println(Machine.description());
    out.println(parsed);
    out.println();
    out.println("| series | | first, CPU ms | µs a series | again, CPU ms | µs a series |");
    out.println("|---|---|---|---|---|---|");
    List<String> counts = List.of(parsed.text("series").split(","));
    List<List<PerSeries>> costs = new ArrayList<>();
    for (String series : counts) {
      try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
        String uri = "rocksdb:" + work.path().resolve("store");
        FleetRows rows = new FleetRows(Integer.parseInt(series), 1, 600);
        try (Tsdb db = Tsdb.open(uri, Form.PACKS.options())) {
          rows.writeTo(db);
        }
        try (Tsdb db = Tsdb.open(uri, unlimited())) {
          costs.add(ask(db, rows, parsed.number("again"), out));
        }
      }
    }
    for (int i = 0; i < QUESTIONS.size(); i++) {
      String name = QUESTIONS.get(i).name();
      int question = i;
      List<PerSeries> of = costs.stream().map(each -> each.get(question)).toList();
      Chart.print(name + ", first", counts, of.stream().map(PerSeries::first).toList(), out);
      Chart.print(name + ", again", counts, of.stream().map(PerSeries::again).toList(), out);
    }
  }

  /** Without limits of memory: all series may be returned. */
  static TsdbOptions unlimited() {
    return Form.PACKS
        .options()
        .with(Settings.QUERY_HELD_BYTES, "0")
        .with(Settings.QUERY_TOTAL_HELD_BYTES, "0");
  }

  private static List<PerSeries> ask(Tsdb db, FleetRows rows, int again, PrintStream out) {
    long start = DevopsWorkload.START * 1000;
    List<PerSeries> costs = new ArrayList<>();
    for (Asked asked : QUESTIONS) {
      Query query =
          Query.parse(String.format(Locale.ROOT, asked.expression(), FleetRows.METRIC))
              .betweenMillis(start, start + 3_600_000L - 1);
      Question question = new Question(asked.name(), List.of(query), "");
      double first = Meter.measure(() -> question.ask(db)).cpu();
      double more = 0;
      for (int i = 0; i < again; i++) {
        more += Meter.measure(() -> question.ask(db)).cpu();
      }
      double mean = more / again;
      out.printf(
          Locale.ROOT,
          "| %,d | %s | %.1f | %.2f | %.2f | %.3f |%n",
          rows.hosts(),
          asked.name(),
          first * 1e3,
          first * 1e6 / rows.hosts(),
          mean * 1e3,
          mean * 1e6 / rows.hosts());
      costs.add(new PerSeries(first * 1e6 / rows.hosts(), mean * 1e6 / rows.hosts()));
    }
    return costs;
  }
}
