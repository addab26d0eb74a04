package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.rocksdb.RawRocksDb;
import org.rocksdb.RocksDBException;

/**
 * The bytes that a point takes in the memory store, beside the keys and values of the same cells in
 * RocksDB, before any compression: in each form, and once all rows are compacted.
 */
final class MemoryBench {
  static final Map<String, String> DEFAULTS =
      Map.of("hosts", "100", "hours", "8", "kind", "int", "dir", "");

  static final String COMPACTED = "compacted";

  private MemoryBench() {}

  static void run(Arguments arguments, PrintStream out) throws IOException, RocksDBException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      DevopsWorkload workload = DevopsWorkload.of(arguments);
      Path lines = work.path().resolve("input");
      workload.writeTo(lines);
      out.println("| | memory store, bytes per point | RocksDB's keys and values | ratio |");
      out.println("|---|---|---|---|");
      List<String> forms = new ArrayList<>();
      for (Form form : Form.values()) {
        forms.add(form.toString());
      }
      forms.add(COMPACTED);
      for (String form : forms) {
        print(form, lines, workload.points(), work, out);
      }
    }
  }

  private static void print(
      String form, Path lines, long points, WorkDirectory work, PrintStream out)
      throws IOException, RocksDBException {
    try (WorkDirectory directory = work.inner("store");
        Child child =
            Child.start(
                "-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m",
                "memory-fill",
                "--form",
                form,
                "--lines",
                "" + lines,
                "--copy",
                "" + directory.path())) {
      long memory = Long.parseLong(child.line());
      child.await();
      long stored;
      try (RawRocksDb raw =
          RawRocksDb.open(directory.path(), TsdbOptions.defaults().tables().points())) {
        raw.compact();
        stored = raw.rawBytes();
      }
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.2f |%n",
          form,
          memory / (double) points,
          stored / (double) points,
          memory / (double) stored);
    }
  }
}
