package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.LongScan;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run over rows, and their progress. The parts are handed out in key order to the
 * threads that read them. Thread-safe; each instance is for one run.
 */
final class RowParts {
  private static final int WANTED = 256;
  private static final int ROWS_PER_REPORT = 1000;

  /** Receives the progress of a run, from one thread at a time. */
  interface Progress {
    /**
     * More rows are complete.
     *
     * @param rows the number of rows so far
     * @param done the number of complete parts
     * @param parts the number of all parts
     * @param rest the ranges of keys of the other rows, in order
     */
    void reached(long rows, int done, int parts, List<Scan> rest);

    /** One row is complete; called by its thread. */
    default void complete() {}
  }

  private final List<TablePart> parts = new ArrayList<>();
  private int handedOut;
  private long rows;

  /**
   * @param scans in the order of their starts
   * @param from rows that are complete by this checkpoint are skipped
   */
  private RowParts(List<Scan> scans, FsckCheckpoint from) {
    scans.stream()
        .flatMap(scan -> from.rest(scan).stream())
        .map(TablePart::new)
        .forEach(parts::add);
  }

  static RowParts wholeTable(RowKey keys, long assignedMetrics, FsckCheckpoint from) {
    return new RowParts(TableRanges.ofRows(keys, assignedMetrics, WANTED), from);
  }

  /** Parts of scans with a start and stop that consist of salt, metric and base time. */
  static RowParts of(List<Scan> scans, RowKey keys, FsckCheckpoint from) {
    List<Scan> divided = new ArrayList<>();
    int each = Math.max(1, WANTED / Math.max(1, scans.size()));
    scans.forEach(scan -> divided.addAll(TableRanges.ofHours(scan, keys, each)));
    divided.sort((one, other) -> Arrays.compareUnsigned(one.start(), other.start()));
    return new RowParts(divided, from);
  }

  /** All parts, for read-ahead. */
  List<Scan> scans() {
    return parts.stream().map(part -> part.scan).toList();
  }

  /**
   * Passes the rows of all parts to a consumer, from several threads. The consumer may change or
   * delete them.
   */
  void read(
      KeyValueReader store, Family family, Workers workers, Consumer<Row> each, Progress progress) {
    try {
      workers.run(
          this::next,
          part -> {
            read(store, family, part, workers, each, progress);
            report(progress);
          });
    } finally {
      report(progress);
    }
  }

  private void read(
      KeyValueReader store,
      Family family,
      TablePart part,
      Workers workers,
      Consumer<Row> each,
      Progress progress) {
    try (LongScan cursor = new LongScan(store, family, part.scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        if (workers.isStopped()) {
          return;
        }
        each.accept(row);
        if (did(part, row.key(), progress) % ROWS_PER_REPORT == 0) {
          report(progress);
        }
      }
    }
    finish(part);
  }

  private synchronized @Nullable TablePart next() {
    return handedOut < parts.size() ? parts.get(handedOut++) : null;
  }

  /** Records a complete row; returns the number of complete rows. */
  private synchronized long did(TablePart part, byte[] key, Progress progress) {
    part.did(key);
    progress.complete();
    return ++rows;
  }

  private synchronized void finish(TablePart part) {
    part.done = true;
  }

  /** The number of complete rows. */
  synchronized long rows() {
    return rows;
  }

  /** Reports the progress, unless the run is complete. */
  private synchronized void report(Progress progress) {
    int done = (int) parts.stream().filter(part -> part.done).count();
    if (done < parts.size()) {
      progress.reached(rows, done, parts.size(), rest());
    }
  }

  /** What is not complete; ranges without a gap between them are one. */
  private List<Scan> rest() {
    List<Scan> rest = new ArrayList<>();
    for (TablePart part : parts) {
      if (part.done) {
        continue;
      }
      byte[] start = part.next;
      int last = rest.size() - 1;
      if (last >= 0 && Arrays.equals(rest.get(last).stop(), start)) {
        start = rest.remove(last).start();
      }
      rest.add(Scan.range(start, part.scan.stop()));
    }
    return rest;
  }
}
