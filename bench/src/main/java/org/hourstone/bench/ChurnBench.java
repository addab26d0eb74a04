package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.query.Query;
import org.hourstone.write.PointBatch;
import org.hourstone.write.Receipt;

/**
 * Sums series that come and go, as those of pods and jobs do: 200 begin each hour, each lasts an
 * hour and has 12 points. The cost of a series must not depend on how many there are.
 */
final class ChurnBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "series", "20000,200000",
          "store", "memory",
          "warmup", "2",
          "rounds", "5",
          "dir", "");

  private static final String METRIC = "churn.load";
  private static final int SERIES_PER_HOUR = 200;
  private static final int STEP_SECONDS = 300;
  private static final int HOUR = 3600;

  private ChurnBench() {}

  static void run(Arguments parsed, PrintStream out) throws IOException {
    out.println("| store | series | query | ms CPU | µs CPU a series |");
    out.println("|---|---|---|---|---|");
    List<String> counts = List.of(parsed.text("series").split(","));
    for (String store : parsed.text("store").split(",")) {
      Map<String, List<Double>> micros = new LinkedHashMap<>();
      for (String count : counts) {
        try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
          String uri = store + ":" + (store.equals("rocksdb") ? work.path().resolve(store) : "");
          try (Tsdb db = Tsdb.open(uri, GrowthBench.unlimited())) {
            measure(db, store, Integer.parseInt(count), parsed, out)
                .forEach(
                    (query, cost) ->
                        micros.computeIfAbsent(query, q -> new ArrayList<>()).add(cost));
          }
        }
      }
      micros.forEach(
          (query, costs) ->
              Chart.print(
                  query + ", " + store,
                  "series",
                  String.join(", ", counts),
                  "CPU µs a series",
                  costs,
                  out));
    }
  }

  /** Measures the queries; the median CPU microseconds a series of each. */
  private static Map<String, Double> measure(
      Tsdb db, String store, int series, Arguments arguments, PrintStream out) {
    write(db, series);
    Map<String, Double> micros = new LinkedHashMap<>();
    long start = DevopsWorkload.START * 1000;
    long end = start + (series / SERIES_PER_HOUR + 1) * 3_600_000L;
    for (String expression : List.of("sum:" + METRIC, "sum:" + METRIC + "{pod=*}")) {
      Query query = Query.parse(expression).betweenMillis(start, end);
      Question question = new Question(expression, List.of(query), "");
      List<Cost> costs = new ArrayList<>();
      for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
        Cost cost = Meter.measure(() -> question.ask(db));
        if (round >= 0) {
          costs.add(cost);
        }
      }
      Spread perSeries = Spread.of(costs, cost -> cost.cpu() * 1e6 / series);
      out.printf(
          Locale.ROOT,
          "| %s | %d | `%s` | %s | %s |%n",
          store,
          series,
          expression,
          Spread.of(costs, cost -> cost.cpu() * 1e3).text(0),
          perSeries.text(1));
      micros.put(expression, perSeries.median());
    }
    return micros;
  }

  private static void write(Tsdb db, int series) {
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {}

          @Override
          public void failed(long token, RuntimeException reason) {
            throw reason;
          }
        };
    for (int i = 0; i < series; i++) {
      Map<String, String> tags =
          Map.of("pod", "p" + i % SERIES_PER_HOUR, "job", "j" + i / SERIES_PER_HOUR);
      PointBatch batch = db.writer().batch(METRIC, tags);
      long base = DevopsWorkload.START + (long) (i / SERIES_PER_HOUR) * HOUR;
      for (int second = 0; second < HOUR; second += STEP_SECONDS) {
        batch.add(base + second, (i * 31L + second) % 100);
      }
      batch.persist(receipt, i);
    }
    db.flush();
  }
}
