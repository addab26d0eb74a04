package org.hourstone.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hourstone.Tsdb;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/**
 * Runs the queries Q1 to Q6 of the workload W1 in RocksDB, next to a plain scan that decodes the
 * same rows and adds up their values.
 */
final class QueryBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults(
          "hosts=100 hours=24 kind=int form=compacted coded=true warmup=3 warm-runs=5000"
              + " warm-seconds=20 rounds=7 questions=Q1,Q2,Q3,Q4,Q5,Q6 dir=");

  /** A measurement of the processor's time needs this much. */
  private static final double LEAST_SECONDS = 1;

  private QueryBench() {}

  /** The cost of a question and of the scan beside it. */
  private record Measured(Cost query, Cost scan) {}

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        RocksDbPlace place =
            new RocksDbPlace(work.inner("store"), "?coded=" + arguments.text("coded"))) {
      Path lines = work.path().resolve("input");
      DevopsWorkload.of(arguments).writeTo(lines);
      try (Tsdb db = place.open(Form.SINGLE.options())) {
        FileImport.run(db, lines);
        if (arguments.text("form").equals("compacted")) {
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
      }
      place.settle();
      try (Tsdb db = place.open(Form.SINGLE.options())) {
        measure(db, arguments, out);
      }
    }
  }

  private static void measure(Tsdb db, Arguments arguments, PrintStream out) {
    out.printf("Median (min–max):%n%n");
    Table table =
        new Table(
            out,
            "|rows read|points read|returned|cold, ms|warm, ms|scan, ms|× the scan|"
                + "CPU, ms|scan, CPU ms|CPU, × the scan|bytes allocated|a point");
    for (String asked : arguments.list("questions")) {
      Question question =
          Question.of(PeerQuestion.valueOf(asked), DevopsWorkload.of(arguments).seconds());
      rounds(question, db, arguments.number("warmup"), 1);
      List<Measured> cold = rounds(question, db, arguments.number("rounds"), 1);
      int repeats = warmUp(question, db, arguments);
      List<Measured> warm = rounds(question, db, arguments.number("rounds"), repeats);
      Question.Outcome outcome = question.ask(db);
      double points = question.scanOnly(db);
      table.row(
          question.name(),
          Table.figure((double) outcome.rows(), 0),
          Table.figure(points, 0),
          Table.figure((double) outcome.points(), 0),
          millis(cold, m -> m.query().seconds()),
          millis(warm, m -> m.query().seconds()),
          millis(warm, m -> m.scan().seconds()),
          Spread.of(warm, m -> m.query().seconds() / m.scan().seconds()).text(2),
          millis(warm, m -> m.query().cpu()),
          millis(warm, m -> m.scan().cpu()),
          Spread.of(warm, m -> m.query().cpu() / m.scan().cpu()).text(2),
          Table.figure(Spread.of(warm, m -> m.query().allocated()).median(), 0),
          Table.figure(Spread.of(warm, m -> m.query().allocated() / points).median(), 1));
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
    return Meter.cpu(ProcessHandle.current());
  }

  /** The cost of a question and its scan in each of several rounds. */
  private static List<Measured> rounds(Question question, Tsdb db, int count, int repeats) {
    List<Measured> rounds = new ArrayList<>();
    for (int round = 0; round < count; round++) {
      Cost query = Meter.measure(repeats, () -> question.ask(db));
      rounds.add(new Measured(query, Meter.measure(repeats, () -> question.scanOnly(db))));
    }
    return rounds;
  }

  private static String millis(List<Measured> measured, ToDoubleFunction<Measured> seconds) {
    return Spread.of(measured, m -> seconds.applyAsDouble(m) * 1000).text(3);
  }
}
