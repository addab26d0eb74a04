package org.hourstone.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CompactionState;
import org.hourstone.hbase.HBaseProcess;

/** Operations on whole tables by HBase's own means. */
final class HBaseTables {
  private static final int POLL_MILLIS = 50;

  private HBaseTables() {}

  /** Writes the table to files, and merges them to one for each region. */
  static void settle(AsyncConnection client, TableName name) {
    var admin = client.getAdmin();
    // Region by region: the procedure that flushes a table can hang where a region is being
    // flushed.
    admin
        .getRegions(name)
        .join()
        .forEach(region -> admin.flushRegion(region.getRegionName()).join());
    admin.majorCompact(name).join();
    CompletableFuture<CompactionState> state = admin.getCompactionState(name);
    while (state.join() != CompactionState.NONE) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      state = admin.getCompactionState(name);
    }
  }

  /** Bytes of the files that hold the points of a table that is {@linkplain #settle settled}. */
  static long bytes(HBaseProcess hbase, TableName table) throws IOException {
    try (Stream<Path> all = Files.walk(hbase.directory())) {
      return all.filter(path -> isFamily(path, table.getNameAsString()))
          .mapToLong(HBaseTables::newestFile)
          .sum();
    }
  }

  private static boolean isFamily(Path path, String table) {
    int names = path.getNameCount();
    return names > 4
        && path.getName(names - 1).toString().equals("t")
        && path.getName(names - 3).toString().equals(table)
        && path.getName(names - 5).toString().equals("data")
        && !path.toString().contains("archive");
  }

  /** Of the merged file: the files it was merged from are removed minutes later. */
  private static long newestFile(Path family) {
    try (Stream<Path> files = Files.list(family)) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .map(file -> file.toFile().length())
          .orElse(0L);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
