package org.hourstone.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.rocksdb.RocksDBException;

/**
 * The bytes that a point takes in the memory store, beside the keys and values of the same cells in
 * RocksDB, before any compression: in each form, and once all rows are compacted.
 */
public final class MemoryBench {
  private static final Map<String, String> DEFAULTS =
      Map.of("hosts", "100", "hours", "8", "kind", "int", "dir", "");

  private static final Family POINTS = TsdbOptions.defaults().tables().points();

  private static final String COMPACTED = "COMPACTED";

  private MemoryBench() {}

  /** See {@code docs/performance.md} for the arguments. */
  public static void main(String[] arguments) throws IOException, RocksDBException {
    run(arguments, System.out);
  }

  static void run(String[] given, PrintStream out) throws IOException, RocksDBException {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      out.println(Machine.description());
      DevopsWorkload workload =
          new DevopsWorkload(
              arguments.number("hosts"),
              (int) (arguments.decimal("hours") * 3600),
              arguments.text("kind").equals("dec"));
      out.printf(Locale.ROOT, "%d points; %s%n%n", workload.points(), arguments);
      Path lines = work.path().resolve("input");
      workload.writeTo(lines);
      out.println("| | memory store, bytes per point | RocksDB's keys and values | ratio |");
      out.println("|---|---|---|---|");
      for (Form form : Form.values()) {
        print(form.toString(), lines, workload.points(), work, out);
      }
      print(COMPACTED, lines, workload.points(), work, out);
    }
  }

  private static void print(
      String form, Path lines, long points, WorkDirectory work, PrintStream out)
      throws IOException, RocksDBException {
    try (WorkDirectory directory = work.inner("store")) {
      long memory = fillElsewhere(form, lines, directory.path());
      long stored;
      try (RawRocksDb raw = RawRocksDb.open(directory.path(), POINTS)) {
        raw.compact();
        stored = raw.rawBytes();
      }
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.2f |%n",
          form.toLowerCase(Locale.ROOT),
          memory / (double) points,
          stored / (double) points,
          memory / (double) stored);
    }
  }

  /** In a process of its own, in which nothing else is left: see {@link Filled}. */
  private static long fillElsewhere(String form, Path lines, Path copy) throws IOException {
    Process child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Filled.class.getName(),
                form,
                lines.toString(),
                copy.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader printed = child.inputReader()) {
      return Long.parseLong(String.valueOf(printed.readLine()));
    } finally {
      child.destroyForcibly().onExit().join();
    }
  }

  /**
   * Fills a memory store, copies the cells of points into RocksDB, and prints how much memory the
   * store took, with its names and index.
   */
  static final class Filled {
    private Filled() {}

    public static void main(String[] arguments) throws IOException {
      boolean compacted = arguments[0].equals(COMPACTED);
      Form form = compacted ? Form.PACKS : Form.valueOf(arguments[0]);
      long used;
      try (KeyValueStore memory = KeyValueStores.open("memory:bench")) {
        long before = usedBytes();
        fill(form.options(), compacted, Path.of(arguments[1]));
        used = usedBytes() - before;
        try (KeyValueStore rocks =
            KeyValueStores.open("rocksdb:" + arguments[2] + "?coded=false")) {
          rocks.ensure(List.of(new FamilySpec(POINTS, false)), SchemaMode.CREATE);
          copy(POINTS, memory, rocks);
        }
      }
      System.out.println(used);
    }

    /** Closes what it has opened: nothing of the writers and their caches is left. */
    private static void fill(TsdbOptions options, boolean compacted, Path lines)
        throws IOException {
      try (Tsdb db = Tsdb.open("memory:bench", options.with(Settings.HEAD, "false"))) {
        FileImport.run(db, lines);
        db.flush();
        if (compacted) {
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
      }
    }

    private static void copy(Family family, KeyValueStore from, KeyValueStore to) {
      try (RowCursor rows = from.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          List<Change> puts = new ArrayList<>();
          for (int i = 0; i < row.size(); i++) {
            puts.add(new Change.Put(row.qualifier(i), row.value(i)));
          }
          to.mutate(family, List.of(new RowMutation(row.key(), puts)));
        }
      }
    }

    /** The least of several: the last threads of a database may end after it was closed. */
    private static long usedBytes() {
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
      }
      return least;
    }
  }
}
