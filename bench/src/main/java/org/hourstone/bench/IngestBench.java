package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Arguments.UsageException;
import org.hourstone.bench.Meter.Action;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.write.SeriesWriter;

/**
 * Writes the points of the workload W1 to RocksDB in this process, as an import file's lines and
 * through handles of their series, in turn, several times, with the options that a program has by
 * default.
 */
final class IngestBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults("hosts=100 hours=2 kind=int warmup=1 rounds=5 ways=import,handles dir=");

  /**
   * The result of one run.
   *
   * @param write until every point was acknowledged
   * @param finish CPU seconds of closing the store and merging its files
   */
  private record Outcome(Cost write, double finish, long closed, long settled) {}

  private final WorkDirectory work;
  private final Path lines;
  private final DevopsWorkload workload;
  private final Points points;

  private IngestBench(DevopsWorkload workload, WorkDirectory work) throws IOException {
    this.work = work;
    this.workload = workload;
    this.lines = work.path().resolve("input");
    workload.writeTo(lines);
    this.points = workload.inMemory();
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      IngestBench bench = new IngestBench(DevopsWorkload.of(arguments), work);
      Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
      for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
        for (String way : arguments.list("ways")) {
          System.gc();
          Outcome outcome = bench.outcome(way);
          if (round >= 0) {
            outcomes.computeIfAbsent(way, w -> new ArrayList<>()).add(outcome);
          }
        }
      }
      bench.print(outcomes, out);
    }
  }

  private Outcome outcome(String way) throws Exception {
    AtomicLong clock = new AtomicLong(DevopsWorkload.START * 1000);
    TsdbOptions options = TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true");
    try (RocksDbPlace place = new RocksDbPlace(work.inner("store"), "")) {
      switch (way) {
        case "import" -> {
          Tsdb db = place.open(options);
          return outcome(place, () -> importLines(db), db);
        }
        case "handles" -> {
          Tsdb db = place.open(options.withClock(() -> Instant.ofEpochMilli(clock.get())));
          SeriesWriter[] handles = points.handles(db);
          return outcome(place, () -> points.put(handles, db, clock), db);
        }
        default -> throw new UsageException("way '" + way + "': must be import or handles");
      }
    }
  }

  private static Outcome outcome(RocksDbPlace place, Action write, Tsdb db) {
    Cost written = Meter.measure(write);
    Cost closed = Meter.measure(db::close);
    long bytes = place.tableBytes();
    Cost settled = Meter.measure(place::settle);
    return new Outcome(written, closed.cpu() + settled.cpu(), bytes, place.tableBytes());
  }

  private void importLines(Tsdb db) throws IOException {
    long taken = FileImport.run(db, lines);
    if (taken != workload.points()) {
      throw new IllegalStateException(taken + " of " + workload.points() + " points");
    }
  }

  private void print(Map<String, List<Outcome>> outcomes, PrintStream out) {
    double all = workload.points();
    out.printf(
        "%d points of %d series; each until it is acknowledged; CPU in ns, median (min–max)%n%n",
        workload.points(), workload.series());
    Table table =
        new Table(
            out,
            "each point|CPU|caller|writing threads|CPU of closing and merging|"
                + "bytes allocated|caller|bytes closed|merged");
    outcomes.forEach(
        (way, runs) ->
            table.row(
                way,
                Spread.of(runs, run -> run.write().cpu() * 1e9 / all).text(0),
                Spread.of(runs, run -> run.write().callerCpu() * 1e9 / all).text(0),
                Spread.of(runs, run -> run.write().flusherCpu() * 1e9 / all).text(0),
                Spread.of(runs, run -> run.finish() * 1e9 / all).text(0),
                Spread.of(runs, run -> run.write().allocated() / all).text(0),
                Spread.of(runs, run -> run.write().callerAllocated() / all).text(0),
                Table.figure(runs.get(0).closed() / all, 2),
                Table.figure(runs.get(0).settled() / all, 2)));
  }
}
