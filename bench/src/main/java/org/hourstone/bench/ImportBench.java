package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.hourstone.MemorySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.ImportRuns.Outcome;
import org.rocksdb.RocksDBException;

/**
 * Imports the points of one input along every route between reading its lines and raw RocksDB, in
 * turn, several times, and prints the cost of each. The differences between the routes show where
 * an import spends its time; the ratios compare with RocksDB writing the very same cells.
 */
final class ImportBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "file", "", // import lines, .gz or not; empty for the workload W1
          "hosts", "100", // of W1
          "hours", "2",
          "kind", "int", // or dec: two decimals
          "warmup", "1", // rounds that don't count
          "rounds", "5",
          "ways", "", // to measure, by the names of the enum; empty for all
          "threads", "", // of the write pipeline; empty for the default
          "dir", ""); // for input and stores; empty for the system's temporary files

  private static final List<Way> COMPARED = List.of(Way.IMPORT, Way.HANDLES, Way.STORE);
  private static final List<Way> BASES = List.of(Way.PUTS, Way.PREPARED);

  private ImportBench() {}

  private enum Way {
    READ("read lines"),
    RESOLVE("… and resolve"),
    DISCARD("import, cells dropped"),
    MEMORY("import, memory"),
    IMPORT("import, RocksDB"),
    HANDLES("series handles, RocksDB"),
    STORE("the batches, store alone"),
    PUTS("the cells, raw RocksDB puts"),
    PREPARED("the cells, prepared batches"),
    SEALED("a compacted cell per row, raw puts");

    private final String title;

    Way(String title) {
      this.title = title;
    }

    boolean isOnDisk() {
      return compareTo(IMPORT) >= 0;
    }

    Outcome of(ImportRuns runs) throws IOException {
      return switch (this) {
        case READ -> runs.readLines();
        case RESOLVE -> runs.resolveLines();
        case DISCARD -> runs.importAndDiscard();
        case MEMORY -> runs.importToMemory();
        case IMPORT -> runs.importToRocksDb();
        case HANDLES -> runs.handlesToRocksDb();
        case STORE -> runs.batchesToStore();
        case PUTS -> runs.putsToRawRocksDb();
        case PREPARED -> runs.preparedToRawRocksDb();
        case SEALED -> runs.sealedRowsToRawRocksDb();
      };
    }
  }

  static void run(Arguments arguments, PrintStream out) throws IOException, RocksDBException {
    TsdbOptions options = Form.SINGLE.options();
    if (!arguments.text("threads").isEmpty()) {
      options = options.with(MemorySettings.WRITE_THREADS, arguments.text("threads"));
    }
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      ImportRuns runs = new ImportRuns(input(arguments, work), work, options);
      out.printf(
          Locale.ROOT,
          "%d points of %d series, %d cells in %d batches%n%n",
          runs.points(),
          runs.series(),
          runs.records(),
          runs.batches());
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

  private static Map<Way, List<Outcome>> outcomes(ImportRuns runs, Arguments arguments)
      throws IOException {
    Map<Way, List<Outcome>> outcomes = new EnumMap<>(Way.class);
    int warmup = arguments.number("warmup");
    for (int round = -warmup; round < arguments.number("rounds"); round++) {
      for (Way way : ways(arguments)) {
        System.gc();
        Outcome outcome = way.of(runs);
        if (way.isOnDisk() && outcome.records() > runs.records()) {
          throw new IllegalStateException(way + " left " + outcome.records() + " cells");
        }
        if (round >= 0) {
          outcomes.computeIfAbsent(way, w -> new ArrayList<>()).add(outcome);
        }
      }
    }
    return outcomes;
  }

  private static List<Way> ways(Arguments arguments) {
    String ways = arguments.text("ways");
    return ways.isEmpty()
        ? List.of(Way.values())
        : Stream.of(ways.split(",")).map(Way::valueOf).toList();
  }

  private static void printCosts(Map<Way, List<Outcome>> outcomes, int points, PrintStream out) {
    double millions = points / 1e6;
    out.println("Until acknowledged; CPU in seconds per million points, median (min–max):");
    out.println();
    out.println(
        "| way | CPU | caller | flushers | rest | CPU with flush and compaction |"
            + " B allocated per point |");
    out.println("|---|---|---|---|---|---|---|");
    outcomes.forEach(
        (way, runs) ->
            out.printf(
                Locale.ROOT,
                "| %s | %s | %.2f | %.2f | %.2f | %s | %.0f |%n",
                way.title,
                Spread.of(runs, run -> run.write().cpu() / millions).text(2),
                Spread.of(runs, run -> run.write().callerCpu() / millions).median(),
                Spread.of(runs, run -> run.write().flusherCpu() / millions).median(),
                Spread.of(runs, run -> run.write().otherCpu() / millions).median(),
                way.isOnDisk()
                    ? Spread.of(runs, run -> (run.write().cpu() + run.finish().cpu()) / millions)
                        .text(2)
                    : "",
                Spread.of(runs, run -> run.write().allocated() / points).median()));
    out.println();
  }

  private static void printSizes(Map<Way, List<Outcome>> outcomes, int points, PrintStream out) {
    out.println("Table files, bytes per point:");
    out.println();
    out.println("| way | cells | after closing | after a full compaction |");
    out.println("|---|---|---|---|");
    outcomes.forEach(
        (way, runs) -> {
          if (way.isOnDisk()) {
            Outcome last = runs.get(runs.size() - 1);
            out.printf(
                Locale.ROOT,
                "| %s | %d | %.2f | %.2f |%n",
                way.title,
                last.records(),
                (double) last.flushedBytes() / points,
                (double) last.compactedBytes() / points);
          }
        });
    out.println();
  }

  private static void printRatios(Map<Way, List<Outcome>> outcomes, PrintStream out) {
    if (Collections.disjoint(outcomes.keySet(), COMPARED)
        || Collections.disjoint(outcomes.keySet(), BASES)) {
      return;
    }
    out.println("Ratios within a round, median (min–max):");
    out.println();
    out.println("| | points/s | CPU | CPU with flush and compaction |");
    out.println("|---|---|---|---|");
    for (Way way : COMPARED) {
      for (Way base : BASES) {
        if (!outcomes.containsKey(way) || !outcomes.containsKey(base)) {
          continue;
        }
        out.printf(
            "| %s / %s | %s | %s | %s |%n",
            way.title,
            base.title,
            ratio(outcomes, way, base, run -> 1 / run.write().seconds()),
            ratio(outcomes, way, base, run -> run.write().cpu()),
            ratio(outcomes, way, base, run -> run.write().cpu() + run.finish().cpu()));
      }
    }
    out.println();
  }

  private static String ratio(
      Map<Way, List<Outcome>> outcomes, Way way, Way base, ToDoubleFunction<Outcome> figure) {
    List<Outcome> runs = outcomes.getOrDefault(way, List.of());
    List<Outcome> bases = outcomes.getOrDefault(base, List.of());
    double[] ratios = new double[runs.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(bases.get(i));
    }
    return Spread.of(ratios).text(2);
  }
}
