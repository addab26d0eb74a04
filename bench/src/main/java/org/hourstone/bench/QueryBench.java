package org.hourstone.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/**
 * Runs the queries Q1 to Q6 of the workload W1 in any store, next to a plain scan that decodes the
 * same rows and adds up their values.
 */
final class QueryBench {
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("hosts", "100"),
          Map.entry("hours", "24"),
          Map.entry("kind", "int"), // or dec: two decimals
          Map.entry("form", "compacted"), // or single
          Map.entry("store", "rocksdb"), // or hbase
          Map.entry("coded", "true"), // rows of points in RocksDB
          Map.entry("warmup", "3"), // queries before those measured cold
          Map.entry("warm-runs", "5000"), // before those measured warm, or
          Map.entry("warm-seconds", "20"), // of CPU time
          Map.entry("rounds", "7"),
          Map.entry("questions", "Q1,Q2,Q3,Q4,Q5,Q6"),
          Map.entry("dir", "")); // for input and store; empty for the system's temporary files

  /** A measurement of the processor's time needs this much. */
  private static final double LEAST_SECONDS = 1;

  private QueryBench() {}

  /** The cost of a question and of the scan beside it. */
  private record Measured(Cost query, Cost scan) {}

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      Path lines = work.path().resolve("input");
      DevopsWorkload.of(arguments).writeTo(lines);
      String store = arguments.text("store");
      try (Subject subject = Subject.of(store, work, "?coded=" + arguments.text("coded"));
          Place place = subject.place()) {
        try (Tsdb db = place.open(Form.SINGLE.options())) {
          FileImport.run(db, lines);
          if (arguments.text("form").equals("compacted")) {
            db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
          }
        }
        place.settle();
        try (Tsdb db = place.open(Form.SINGLE.options())) {
          measure(db, store, arguments, out);
        }
      }
    }
  }

  private static void measure(Tsdb db, String store, Arguments arguments, PrintStream out) {
    out.printf("Store %s; median (min–max):%n%n", store);
    out.println(
        "| | rows read | points read | returned | cold, ms | warm, ms | scan, ms | × the scan"
            + " | CPU, ms | scan, CPU ms | CPU, × the scan | bytes allocated | a point |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    List<String> asked = arguments.list("questions");
    for (Question question : Question.all(DevopsWorkload.of(arguments).seconds())) {
      if (!asked.contains(question.name().substring(0, 2))) {
        continue;
      }
      rounds(question, db, arguments.number("warmup"), 1);
      List<Measured> cold = rounds(question, db, arguments.number("rounds"), 1);
      int repeats = warmUp(question, db, arguments);
      List<Measured> warm = rounds(question, db, arguments.number("rounds"), repeats);
      Question.Outcome outcome = question.ask(db);
      double points = question.scanOnly(db);
      out.printf(
          Locale.ROOT,
          "| %s | %,d | %,.0f | %,d | %s | %s | %s | %s | %s | %s | %s | %,.0f | %.1f |%n",
          question.name(),
          outcome.rows(),
          points,
          outcome.points(),
          millis(cold, m -> m.query().seconds()),
          millis(warm, m -> m.query().seconds()),
          millis(warm, m -> m.scan().seconds()),
          Spread.of(warm, m -> m.query().seconds() / m.scan().seconds()).text(2),
          millis(warm, m -> m.query().cpu()),
          millis(warm, m -> m.scan().cpu()),
          Spread.of(warm, m -> m.query().cpu() / m.scan().cpu()).text(2),
          Spread.of(warm, m -> m.query().allocated()).median(),
          Spread.of(warm, m -> m.query().allocated() / points).median());
    }
  }

  /**
   * Repeats a question and its scan until the virtual machine has compiled them, and returns how
   * often it must be repeated to take enough CPU time to be measured.
   */
  private static int warmUp(Question question, Tsdb db, Arguments arguments) {
    double begun = cpu();
    double most = arguments.decimal("warm-seconds");
    int runs = 0;
    double taken = 0;
    for (; runs < arguments.number("warm-runs") && taken < most; taken = cpu() - begun) {
      question.ask(db);
      question.scanOnly(db);
      runs++;
    }
    double each = taken / Math.max(1, runs);
    return Math.max(1, (int) Math.min(runs, LEAST_SECONDS / each));
  }

  /** Of this process: other processes don't delay it. */
  private static double cpu() {
    return ProcessCpu.seconds(ProcessHandle.current());
  }

  /** The cost of a question and its scan in each of several rounds. */
  private static List<Measured> rounds(Question question, Tsdb db, int count, int repeats) {
    List<Measured> rounds = new ArrayList<>();
    for (int round = 0; round < count; round++) {
      Cost query = Meter.measure(() -> repeat(repeats, () -> question.ask(db)));
      Cost scan = Meter.measure(() -> repeat(repeats, () -> question.scanOnly(db)));
      rounds.add(new Measured(query.dividedBy(repeats), scan.dividedBy(repeats)));
    }
    return rounds;
  }

  private static void repeat(int times, Meter.Action action) throws Exception {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }

  private static String millis(List<Measured> measured, ToDoubleFunction<Measured> seconds) {
    return Spread.of(measured, m -> seconds.applyAsDouble(m) * 1000).text(3);
  }
}
