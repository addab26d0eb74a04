package org.hourstone.bench;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.query.SeriesCursor;
import org.hourstone.retention.RetentionReport;
import org.hourstone.table.TableListener;

/** Deletes what has expired beside a thread that stores points and one that asks for live ones. */
final class ExpiringProcess {
  private static final int QUERIES_BEFORE = 300;

  private final Tsdb db;
  private final ExpiringStore store;
  private final PrintStream out;
  private volatile boolean ends;

  ExpiringProcess(Tsdb db, ExpiringStore store, PrintStream out) {
    this.db = db;
    this.store = store;
    this.out = out;
  }

  void run() throws InterruptedException {
    List<Cost> warming = new ArrayList<>();
    List<Cost> before = new ArrayList<>();
    List<Cost> during = new ArrayList<>();
    ask(warming, QUERIES_BEFORE);
    ask(before, QUERIES_BEFORE);
    Thread writer = new Thread(this::write, "writer");
    writer.start();
    Thread asking =
        new Thread(
            () -> {
              while (!ends) {
                ask(during, 1);
              }
            },
            "asking");
    asking.start();
    out.println("begins");
    RetentionReport[] report = new RetentionReport[1];
    Cost cost =
        Meter.measure(() -> report[0] = db.retention().run(false, false, 1, TableListener.NONE));
    ends = true;
    writer.join();
    asking.join();
    out.printf(
        Locale.ROOT,
        "%,d rows deleted in %.1f s; a query of a series took %.2f ms, and %.2f during that"
            + " (medians of %d and %d; CPU of its thread %.2f and %.2f)%n",
        report[0].rows(),
        cost.seconds(),
        millis(before, false),
        millis(during, false),
        before.size(),
        during.size(),
        millis(before, true),
        millis(during, true));
  }

  private static double millis(List<Cost> costs, boolean cpu) {
    return costs.isEmpty()
        ? Double.NaN
        : 1000 * Spread.of(costs, cpu ? Cost::callerCpu : Cost::seconds).median();
  }

  private void ask(List<Cost> costs, int count) {
    for (int i = 0; i < count; i++) {
      int series = costs.size() % store.series();
      costs.add(
          Meter.measure(
              () -> {
                try (SeriesCursor found =
                    db.query(store.liveQuery("sum:1h-avg:sys.cpu{host=web" + series + "}"))) {
                  found.forEach(each -> {});
                }
              }));
    }
  }

  /** One point after the other, each printed when it is acknowledged. */
  private void write() {
    // Other milliseconds than those of processes before, so that no point replaces another one.
    long millis = store.end() * 1000 + System.currentTimeMillis() % 40_000_000;
    for (int i = 0; !ends; i++) {
      int series = i % store.series();
      db.put("sys.cpu", Instant.ofEpochMilli(millis + i), i, Tags.of("host", "web" + series))
          .join();
      out.println("ok " + series + ";");
    }
  }
}
