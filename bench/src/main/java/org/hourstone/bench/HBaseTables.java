package org.hourstone.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.hourstone.hbase.HBaseProcess;

/** Operations on whole tables by HBase's own means. */
final class HBaseTables {
  private static final int ROWS_PER_BATCH = 1000;
  private static final int POLL_MILLIS = 50;

  private HBaseTables() {}

  /** Copies all cells, with their times. */
  static void copy(HBaseClient client, TableName from, TableName to) throws IOException {
    AsyncTable<?> target = client.asynchronous().getTable(to);
    try (ResultScanner rows = client.asynchronous().getTable(from).getScanner(new Scan())) {
      List<Put> puts = new ArrayList<>();
      for (Result row = rows.next(); row != null; row = rows.next()) {
        Put put = new Put(row.getRow());
        for (Cell cell : row.rawCells()) {
          put.addColumn(
              CellUtil.cloneFamily(cell),
              CellUtil.cloneQualifier(cell),
              cell.getTimestamp(),
              CellUtil.cloneValue(cell));
        }
        puts.add(put);
        if (puts.size() == ROWS_PER_BATCH) {
          target.putAll(puts).join();
          puts.clear();
        }
      }
      target.putAll(puts).join();
    }
  }

  /** Writes the table to files, and merges them to one for each region. */
  static void settle(HBaseClient client, TableName name) {
    var admin = client.asynchronous().getAdmin();
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

  /** Those it was merged of are removed minutes later. */
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
