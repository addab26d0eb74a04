package org.hourstone.bench;

import java.io.PrintStream;
import java.util.Map;

/**
 * The bytes that a point takes in a store, beside the same cells as they are: in the files of
 * RocksDB and of VictoriaMetrics, in memory, and in the files of HBase. They hardly vary, so each
 * is measured once.
 */
final class SizeBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "store", "rocksdb", // or several of memory, rocksdb, hbase
          "hosts", "100", // of the workload W1
          "hours", "24",
          "data", "int,dec,nab", // and wide
          "nab", "tsd/src/main/resources/org/hourstone/tsd/demo/nab.import.gz",
          "command", "./hourstone",
          "peer", "victoria-metrics",
          "dir", "");

  private SizeBench() {}

  /** Prints the sizes of the points of a kind of store. */
  private interface Sizes {
    void print(SizeData data, PrintStream out) throws Exception;
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      for (String store : arguments.list("store")) {
        switch (store) {
          case "memory" -> print(new MemorySizes(work)::print, arguments, work, out);
          case "rocksdb" -> print(new RocksDbSizes(arguments, work)::print, arguments, work, out);
          case "hbase" -> {
            try (HBaseSubject subject = HBaseSubject.start()) {
              print(new HBaseSizes(subject)::print, arguments, work, out);
            }
          }
          default -> throw new IllegalArgumentException("store '" + store + "'");
        }
      }
    }
  }

  private static void print(Sizes sizes, Arguments arguments, WorkDirectory work, PrintStream out)
      throws Exception {
    for (String name : arguments.list("data")) {
      SizeData data = SizeData.write(name, arguments, work.path().resolve("lines"));
      out.printf("%s, %d points; bytes per point:%n%n", data.title(), data.points());
      sizes.print(data, out);
      out.println();
    }
  }
}
