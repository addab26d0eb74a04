package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.bench.QueryBench.Measured;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/**
 * Asks the questions Q1 to Q6 about W1 on one processor and on two, each in a process of its own
 * over the same rows in RocksDB, compacted and coded: beside a tight loop of one thread that scans
 * and decodes the same rows in turn with the question.
 */
final class CoresBench {
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("hosts", "100"),
          Map.entry("hours", "24"),
          Map.entry("kind", "int"), // or dec: two decimals
          Map.entry("warm-runs", "5000"), // of each question before it is measured, or
          Map.entry("warm-seconds", "20"), // of CPU time
          Map.entry("rounds", "7"),
          Map.entry("questions", "Q1,Q2,Q3,Q4,Q5,Q6"),
          Map.entry("dir", ""));

  /** With the URI of the store to ask. */
  static final Map<String, String> ASK_DEFAULTS = Child.with(DEFAULTS, "uri");

  private static final String ONE = "0";
  private static final String TWO = "0,1";

  private CoresBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      String uri = "rocksdb:" + work.path().resolve("store");
      fill(uri, arguments, work.path().resolve("lines"));
      List<List<String>> one = askElsewhere(ONE, uri, arguments);
      List<List<String>> two = askElsewhere(TWO, uri, arguments);
      out.println(
          "| | rows read | points read | returned | scan, ms | one core, ms | × the scan"
              + " | two cores, ms | × the scan | CPU, × the scan |");
      out.println("|---|---|---|---|---|---|---|---|---|---|");
      for (int i = 0; i < one.size(); i++) {
        List<String> cells = new ArrayList<>(one.get(i).subList(0, 7));
        cells.addAll(two.get(i).subList(5, 8));
        out.println("| " + String.join(" | ", cells) + " |");
      }
    }
  }

  private static void fill(String uri, Arguments arguments, Path lines) throws IOException {
    DevopsWorkload.of(arguments).writeTo(lines);
    try (Tsdb db = Tsdb.open(uri, Form.PACKS.options())) {
      FileImport.run(db, lines);
      db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    }
  }

  /** Asks on some processors, and returns the cells of each line. */
  private static List<List<String>> askElsewhere(String processors, String uri, Arguments arguments)
      throws IOException {
    try (Child child =
        Child.start(
            List.of("taskset", "-c", processors),
            ManagementFactory.getRuntimeMXBean().getInputArguments(),
            arguments.words("cores-ask", "uri", uri))) {
      List<List<String>> cells = child.lines().map(line -> List.of(line.split("\t"))).toList();
      child.await();
      return cells;
    }
  }

  static void ask(Arguments arguments, PrintStream out) {
    List<String> asked = List.of(arguments.text("questions").split(","));
    try (Tsdb db = Tsdb.open(arguments.text("uri"))) {
      for (Question question : Question.all(DevopsWorkload.of(arguments).seconds())) {
        if (asked.contains(question.name().substring(0, 2))) {
          int repeats = QueryBench.warmUp(question, db, arguments);
          List<Measured> rounds =
              QueryBench.rounds(question, db, arguments.number("rounds"), repeats);
          Question.Outcome outcome = question.ask(db);
          out.println(
              String.join(
                  "\t",
                  question.name(),
                  count(outcome.rows()),
                  count(question.scanOnly(db)),
                  count(outcome.points()),
                  Spread.of(rounds, each -> each.scan().seconds() * 1000).text(3),
                  Spread.of(rounds, each -> each.query().seconds() * 1000).text(3),
                  Spread.of(rounds, each -> each.query().seconds() / each.scan().seconds()).text(2),
                  Spread.of(rounds, each -> each.query().cpu() / each.scan().cpu()).text(2)));
        }
      }
    }
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
