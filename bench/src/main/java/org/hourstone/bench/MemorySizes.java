package org.hourstone.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The size of a point in the memory store, beside the keys and values of the same cells in RocksDB
 * before any compression: in each form, and once all rows are compacted.
 */
final class MemorySizes {
  static final String COMPACTED = "compacted";

  private final WorkDirectory work;

  MemorySizes(WorkDirectory work) {
    this.work = work;
  }

  void print(SizeData data, PrintStream out) throws Exception {
    out.println("| | memory store | RocksDB's keys and values | ratio |");
    out.println("|---|---|---|---|");
    List<String> forms = new ArrayList<>();
    for (Form form : Form.values()) {
      forms.add(form.toString());
    }
    forms.add(COMPACTED);
    for (String form : forms) {
      row(form, data, out);
    }
  }

  private void row(String form, SizeData data, PrintStream out) throws Exception {
    try (WorkDirectory copy = work.inner("store");
        Child child =
            Child.start(
                "-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m",
                "memory-fill",
                "--form",
                form,
                "--lines",
                "" + data.lines(),
                "--copy",
                "" + copy.path())) {
      double memory = Long.parseLong(child.line());
      child.await();
      double stored;
      try (RawRocksDb raw = RawRocksDb.open(copy.path())) {
        raw.compact();
        stored = raw.rawBytes();
      }
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.2f |%n",
          form,
          memory / data.points(),
          stored / data.points(),
          memory / stored);
    }
  }
}
