package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPInputStream;
import org.hourstone.MemorySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.IngestRuns.Outcome;

/**
 * Writes the points of one input along every route between reading its lines and the store without
 * ours, in turn, several times, and prints the cost of each. The differences between the routes
 * show where an import spends its time; the ratios compare with the raw store writing the very same
 * cells.
 */
final class IngestBench {
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("store", "rocksdb"), // or hbase
          Map.entry("file", ""), // import lines, .gz or not; empty for the workload W1
          Map.entry("hosts", "100"), // of W1
          Map.entry("hours", "2"),
          Map.entry("kind", "int"), // or dec: two decimals
          Map.entry("warmup", "1"), // rounds that don't count
          Map.entry("rounds", "5"),
          Map.entry("ways", ""), // to measure, by the names of the enum; empty for all
          Map.entry("flush", "60"), // seconds for which packs and appends are buffered
          Map.entry("threads", ""), // of the write pipeline; empty for the default
          Map.entry("dir", "")); // for input and stores; empty for the system's temporary files

  private static final List<Way> BASES = List.of(Way.PUTS, Way.BATCHES);

  private IngestBench() {}

  private enum Way {
    IMPORT("import"),
    HANDLES("series handles"),
    PACKS("packs"),
    APPENDS("appends"),
    STORE("the batches, store alone"),
    PUTS("the cells, raw puts"),
    BATCHES("the cells, raw batches");

    private final String title;

    Way(String title) {
      this.title = title;
    }

    Outcome of(IngestRuns runs, int flushSeconds) throws Exception {
      return switch (this) {
        case IMPORT -> runs.importFile();
        case HANDLES -> runs.putThroughHandles();
        case PACKS -> runs.live(Form.PACKS, flushSeconds);
        case APPENDS -> runs.live(Form.APPENDS, flushSeconds);
        case STORE -> runs.batchesToStore();
        case PUTS -> runs.raw(false);
        case BATCHES -> runs.raw(true);
      };
    }
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    TsdbOptions options = Form.SINGLE.options();
    if (!arguments.text("threads").isEmpty()) {
      options = options.with(MemorySettings.WRITE_THREADS, arguments.text("threads"));
    }
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Subject subject = Subject.of(arguments.text("store"), work, "")) {
      IngestRuns runs = new IngestRuns(input(arguments, work), subject, options);
      out.printf(
          "%d points of %d series, %d cells in %d batches%n%n",
          runs.points(), runs.series(), runs.cells(), runs.batches());
      Map<Way, List<Outcome>> outcomes = outcomes(runs, arguments);
      printCosts(outcomes, runs.points(), out);
      printSizes(outcomes, runs.points(), out);
      printRatios(outcomes, out);
    }
  }

  private static Path input(Arguments arguments, WorkDirectory work) throws IOException {
    Path lines = work.path().resolve("input");
    String file = arguments.text("file");
    if (file.isEmpty()) {
      DevopsWorkload.of(arguments).writeTo(lines);
      return lines;
    }
    try (InputStream in = Files.newInputStream(Path.of(file));
        InputStream text = file.endsWith(".gz") ? new GZIPInputStream(in) : in) {
      Files.copy(text, lines);
    }
    return lines;
  }

  private static Map<Way, List<Outcome>> outcomes(IngestRuns runs, Arguments arguments)
      throws Exception {
    List<String> names = arguments.list("ways");
    List<Way> ways =
        names.isEmpty() ? List.of(Way.values()) : names.stream().map(Way::valueOf).toList();
    Map<Way, List<Outcome>> outcomes = new EnumMap<>(Way.class);
    int warmup = arguments.number("warmup");
    for (int round = -warmup; round < arguments.number("rounds"); round++) {
      for (Way way : ways) {
        System.gc();
        Outcome outcome = way.of(runs, arguments.number("flush"));
        if (outcome.records() > runs.cells()) {
          throw new IllegalStateException(way + " left " + outcome.records() + " cells");
        }
        if (round >= 0) {
          outcomes.computeIfAbsent(way, w -> new ArrayList<>()).add(outcome);
        }
      }
    }
    return outcomes;
  }

  private static void printCosts(Map<Way, List<Outcome>> outcomes, int points, PrintStream out) {
    double billions = points / 1e9;
    out.println("Until acknowledged; CPU in nanoseconds per point, median (min–max):");
    out.println();
    out.println(
        "| way | CPU | caller | writing threads | rest | store's own process |"
            + " CPU with flush and compaction | B allocated per point |");
    out.println("|---|---|---|---|---|---|---|---|");
    outcomes.forEach(
        (way, runs) ->
            out.printf(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f | %.0f | %s | %s | %.0f |%n",
                way.title,
                Spread.of(runs, run -> run.write().cpu() / billions).text(0),
                Spread.of(runs, run -> run.write().callerCpu() / billions).median(),
                Spread.of(runs, run -> run.write().flusherCpu() / billions).median(),
                Spread.of(runs, run -> run.write().otherCpu() / billions).median(),
                unlessZero(Spread.of(runs, run -> run.server() / billions)),
                Spread.of(runs, run -> cpu(run) / billions).text(0),
                Spread.of(runs, run -> run.write().allocated() / points).median()));
    out.println();
  }

  private static double cpu(Outcome run) {
    return run.write().cpu() + run.finish().cpu();
  }

  private static String unlessZero(Spread spread) {
    return spread.max() == 0 ? "" : spread.text(0);
  }

  private static void printSizes(Map<Way, List<Outcome>> outcomes, int points, PrintStream out) {
    out.println("Files, bytes per point:");
    out.println();
    out.println("| way | records | after closing | after a full compaction |");
    out.println("|---|---|---|---|");
    outcomes.forEach(
        (way, runs) -> {
          Outcome last = runs.get(runs.size() - 1);
          out.printf(
              Locale.ROOT,
              "| %s | %d | %.2f | %.2f |%n",
              way.title,
              last.records(),
              (double) last.closedBytes() / points,
              (double) last.settledBytes() / points);
        });
    out.println();
  }

  private static void printRatios(Map<Way, List<Outcome>> outcomes, PrintStream out) {
    out.println("Ratios within a round, median (min–max):");
    out.println();
    out.println("| | points/s | CPU | CPU with flush and compaction |");
    out.println("|---|---|---|---|");
    for (Way way : Way.values()) {
      for (Way base : BASES.contains(way) ? List.<Way>of() : BASES) {
        List<Outcome> runs = outcomes.getOrDefault(way, List.of());
        List<Outcome> bases = outcomes.getOrDefault(base, List.of());
        if (!runs.isEmpty() && !bases.isEmpty()) {
          out.printf(
              "| %s / %s | %s | %s | %s |%n",
              way.title,
              base.title,
              ratio(runs, bases, run -> 1 / run.write().seconds()),
              ratio(runs, bases, run -> run.write().cpu()),
              ratio(runs, bases, IngestBench::cpu));
        }
      }
    }
    out.println();
  }

  private static String ratio(
      List<Outcome> runs, List<Outcome> bases, ToDoubleFunction<Outcome> figure) {
    return Spread.ofRatios(runs, bases, figure).text(2);
  }
}
