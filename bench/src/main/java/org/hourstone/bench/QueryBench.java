package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.rocksdb.RocksDBException;

/**
 * Runs the queries Q1 to Q6 of the workload W1 in memory and in RocksDB, next to a plain scan that
 * decodes the same rows and adds up their values.
 */
public final class QueryBench {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100",
          "hours", "24",
          "kind", "int", // or dec: two decimals
          "form", "single", // or compacted
          "stores", "memory,rocksdb",
          "warmup", "3",
          "rounds", "7",
          "dir", ""); // for input and store; empty for the system's temporary files

  private QueryBench() {}

  private record Measured(Cost query, Cost scan) {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException, RocksDBException {
    run(arguments, System.out);
  }

  static void run(String[] arguments, PrintStream out) throws IOException, RocksDBException {
    Arguments parsed = Arguments.parse(arguments, DEFAULTS);
    int seconds = (int) (parsed.decimal("hours") * 3600);
    try (WorkDirectory work = WorkDirectory.create(parsed.text("dir"))) {
      out.println(Machine.description());
      out.println(parsed);
      Path lines = work.path().resolve("input");
      new DevopsWorkload(parsed.number("hosts"), seconds, parsed.text("kind").equals("dec"))
          .writeTo(lines);
      for (String store : parsed.text("stores").split(",")) {
        Path directory = work.path().resolve(store);
        String uri = store + ":" + (store.equals("rocksdb") ? directory : "");
        try (Tsdb db = Tsdb.open(uri, Form.SINGLE.options())) {
          FileImport.run(db, lines);
          if (parsed.text("form").equals("compacted")) {
            db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
          }
          if (store.equals("memory")) {
            measure(db, store, seconds, parsed, out);
          }
        }
        if (store.equals("rocksdb")) {
          iterate(directory, parsed, out);
          try (Tsdb db = Tsdb.open(uri)) {
            measure(db, store, seconds, parsed, out);
          }
        }
      }
    }
  }

  /** Compacts the table files, as they become in the long run, and scans them. */
  private static void iterate(Path directory, Arguments arguments, PrintStream out)
      throws RocksDBException {
    try (RawRocksDb raw = RawRocksDb.open(directory, TsdbOptions.defaults().tables().points())) {
      raw.compact();
      List<Cost> costs = new ArrayList<>();
      long records = 0;
      for (int round = 0; round < arguments.number("rounds"); round++) {
        long[] count = new long[1];
        costs.add(Meter.measure(() -> count[0] = raw.iterate()));
        records = count[0];
      }
      double total = records;
      out.printf(
          Locale.ROOT,
          "%nRaw iteration over all %d records of the compacted files: %s ns CPU a record%n",
          records,
          Spread.of(costs, cost -> cost.callerCpu() * 1e9 / total).text(0));
    }
  }

  private static void measure(
      Tsdb db, String store, int seconds, Arguments arguments, PrintStream out) {
    out.printf("%nStore %s; ms, median (min–max):%n%n", store);
    out.println(
        "| | rows read | points read | answered | query | plain scan | ratio of time | query CPU"
            + " | scan CPU | ratio of CPU | bytes allocated a point, query | scan |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (Question question : Question.all(seconds)) {
      List<Measured> measured = new ArrayList<>();
      long[] read = new long[1];
      Question.Outcome[] outcome = new Question.Outcome[1];
      for (int round = -arguments.number("warmup"); round < arguments.number("rounds"); round++) {
        Cost query = Meter.measure(() -> outcome[0] = question.ask(db));
        Cost scan = Meter.measure(() -> read[0] = question.scanOnly(db));
        if (round >= 0) {
          measured.add(new Measured(query, scan));
        }
      }
      double points = read[0];
      out.printf(
          Locale.ROOT,
          "| %s | %d | %d | %d | %s | %s | %s | %s | %s | %s | %.1f | %.1f |%n",
          question.name(),
          outcome[0].rows(),
          read[0],
          outcome[0].points(),
          millis(measured, m -> m.query().seconds()),
          millis(measured, m -> m.scan().seconds()),
          Spread.of(measured, m -> m.query().seconds() / m.scan().seconds()).text(2),
          millis(measured, m -> m.query().cpu()),
          millis(measured, m -> m.scan().cpu()),
          Spread.of(measured, m -> m.query().cpu() / m.scan().cpu()).text(2),
          Spread.of(measured, m -> m.query().allocated() / points).median(),
          Spread.of(measured, m -> m.scan().allocated() / points).median());
    }
  }

  private static String millis(List<Measured> measured, ToDoubleFunction<Measured> seconds) {
    return Spread.of(measured, m -> seconds.applyAsDouble(m) * 1000).text(1);
  }
}
