package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** The parts of a run, handed out in key order, with their progress. Thread-safe. */
final class FsckParts {
  private static final int WANTED = 256;

  private final List<TablePart> parts = new ArrayList<>();
  private int handedOut;
  private long rows;

  /**
   * @param scans in the order of their starts
   * @param resume rows before this key are skipped
   */
  private FsckParts(List<Scan> scans, byte[] resume) {
    for (Scan scan : scans) {
      byte[] stop = scan.stop();
      if (stop == null || Arrays.compareUnsigned(stop, resume) > 0) {
        boolean begun = Arrays.compareUnsigned(scan.start(), resume) < 0;
        parts.add(new TablePart(begun ? scan.from(resume) : scan));
      }
    }
  }

  static FsckParts wholeTable(RowKey keys, long assignedMetrics, byte[] resume) {
    return new FsckParts(TableRanges.ofRows(keys, assignedMetrics, WANTED), resume);
  }

  /** The rows of scans whose start and stop consist of salt, metric and base time. */
  static FsckParts of(List<Scan> scans, RowKey keys, byte[] resume) {
    List<Scan> divided = new ArrayList<>();
    int each = Math.max(1, WANTED / Math.max(1, scans.size()));
    scans.forEach(scan -> divided.addAll(TableRanges.ofHours(scan, keys, each)));
    divided.sort((one, other) -> Arrays.compareUnsigned(one.start(), other.start()));
    return new FsckParts(divided, resume);
  }

  /** All parts, for read-ahead. */
  List<Scan> scans() {
    return parts.stream().map(part -> part.scan).toList();
  }

  /** The next part, or null if all are handed out. */
  synchronized @Nullable TablePart next() {
    return handedOut < parts.size() ? parts.get(handedOut++) : null;
  }

  /** Returns the number of rows of all parts that are complete now. */
  synchronized long did(TablePart part, byte[] key) {
    part.did(key);
    return ++rows;
  }

  synchronized void finish(TablePart part) {
    part.done = true;
  }

  /** Reports the progress of the run, unless it is complete. */
  synchronized void tell(OneAtATime<FsckListener> listener) {
    int done = (int) parts.stream().filter(part -> part.done).count();
    parts.stream()
        .filter(part -> !part.done)
        .map(part -> part.next)
        .min(Arrays::compareUnsigned)
        .ifPresent(resume -> listener.call(to -> to.progress(rows, done, parts.size(), resume)));
  }
}
