package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/**
 * Fills a memory store, copies the cells of points into RocksDB, and prints how much memory the
 * store took, with its names and index: in a process of its own, in which nothing else is left.
 */
final class MemoryFill {
  static final Map<String, String> DEFAULTS = Map.of("form", "", "lines", "", "copy", "");

  private static final Family POINTS = TsdbOptions.defaults().tables().points();

  private MemoryFill() {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    long used;
    try (KeyValueStore memory = KeyValueStores.open("memory:bench")) {
      long before = usedBytes();
      fill(arguments.text("form"), Path.of(arguments.text("lines")));
      used = usedBytes() - before;
      try (KeyValueStore rocks =
          KeyValueStores.open("rocksdb:" + arguments.text("copy") + "?coded=false")) {
        rocks.ensure(List.of(new FamilySpec(POINTS, false)), SchemaMode.CREATE);
        copy(memory, rocks);
      }
    }
    out.println(used);
  }

  /** Closes what it has opened: nothing of the writers and their caches is left. */
  private static void fill(String form, Path lines) throws IOException {
    boolean compacted = form.equals(MemorySizes.COMPACTED);
    TsdbOptions options = (compacted ? Form.PACKS : Form.of(form)).options();
    try (Tsdb db = Tsdb.open("memory:bench", options.with(Settings.HEAD, "false"))) {
      FileImport.run(db, lines);
      db.flush();
      if (compacted) {
        db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      }
    }
  }

  private static void copy(KeyValueStore from, KeyValueStore to) {
    try (RowCursor rows = from.scan(POINTS, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        List<Change> puts = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          puts.add(new Change.Put(row.qualifier(i), row.value(i)));
        }
        to.mutate(POINTS, List.of(new RowMutation(row.key(), puts)));
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
