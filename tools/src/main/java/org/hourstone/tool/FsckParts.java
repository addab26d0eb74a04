package org.hourstone.tool;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** The parts of a run, handed out in key order, with their progress. Thread-safe. */
final class FsckParts {
  private static final int WANTED = 256;

  private final List<FsckPart> parts = new ArrayList<>();
  private int handedOut;
  private long rows;

  /**
   * @param scans in the order of their starts
   * @param resume rows before this key are skipped
   */
  private FsckParts(List<Scan> scans, byte[] resume) {
    for (Scan scan : scans) {
      byte[] stop = scan.stop();
      if (stop != null && Arrays.compareUnsigned(stop, resume) <= 0) {
        continue;
      }
      boolean begun = Arrays.compareUnsigned(scan.start(), resume) < 0;
      Scan left =
          begun ? Scan.range(resume, stop).columns(scan.columns()).filter(scan.filter()) : scan;
      parts.add(new FsckPart(left));
    }
  }

  /** The whole table, see {@link #divided(RowKey, long, int)}. */
  static FsckParts wholeTable(RowKey keys, long assignedMetrics, byte[] resume) {
    return new FsckParts(divided(keys, assignedMetrics, WANTED), resume);
  }

  /**
   * A whole table of rows, divided by salt and metric: evenly among the assigned UIDs if these are
   * assigned in order; random and unassigned UIDs evenly over the whole range.
   */
  static List<Scan> divided(RowKey keys, long assignedMetrics, int wanted) {
    Schema schema = keys.schema();
    int salts = schema.distinctSalts();
    int each = Math.max(1, wanted / 2 / salts);
    TreeSet<Bytes> bounds = new TreeSet<>();
    for (int salt = 0; salt < salts; salt += Math.max(1, salts / wanted)) {
      for (int i = 0; i < each; i++) {
        bounds.add(bound(keys, salt, BigInteger.valueOf(assignedMetrics), i, each));
        BigInteger all = BigInteger.ONE.shiftLeft(schema.metricWidth() * Byte.SIZE);
        bounds.add(bound(keys, salt, all, i, each));
      }
    }
    bounds.pollFirst(); // rows before it belong to the first part as well
    List<Scan> scans = new ArrayList<>();
    byte[] start = new byte[0];
    for (Bytes bound : bounds) {
      scans.add(Scan.range(start, bound.array()));
      start = bound.array();
    }
    scans.add(Scan.range(start, null));
    return scans;
  }

  /** The start of the {@code i}th of several even parts of the metrics. */
  private static Bytes bound(RowKey keys, int salt, BigInteger metrics, int i, int parts) {
    Schema schema = keys.schema();
    byte[] bound = Arrays.copyOf(keys.salt(salt), schema.saltWidth() + schema.metricWidth());
    BigInteger metric = metrics.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(parts));
    for (int at = bound.length - 1; at >= schema.saltWidth(); at--) {
      bound[at] = metric.byteValue();
      metric = metric.shiftRight(Byte.SIZE);
    }
    return new Bytes(bound);
  }

  /**
   * The rows of scans whose start and stop consist of salt, metric and base time, divided by time.
   */
  static FsckParts of(List<Scan> scans, RowKey keys, byte[] resume) {
    List<Scan> divided = new ArrayList<>();
    int each = Math.max(1, WANTED / Math.max(1, scans.size()));
    scans.forEach(scan -> divided.addAll(divided(scan, keys, each)));
    divided.sort((one, other) -> Arrays.compareUnsigned(one.start(), other.start()));
    return new FsckParts(divided, resume);
  }

  static List<Scan> divided(Scan scan, RowKey keys, int wanted) {
    byte[] stop = scan.stop();
    if (stop == null) {
      return List.of(scan);
    }
    long first = keys.baseTime(scan.start());
    long hours = (keys.baseTime(stop) - first) / Timestamps.ROW_SECONDS;
    long step = Math.max(1, (hours + wanted - 1) / wanted);
    List<Scan> pieces = new ArrayList<>();
    byte[] start = scan.start();
    for (long hour = step; hour < hours; hour += step) {
      byte[] bound = scan.start().clone();
      keys.setBaseTime(bound, first + hour * Timestamps.ROW_SECONDS);
      pieces.add(Scan.range(start, bound).columns(scan.columns()).filter(scan.filter()));
      start = bound;
    }
    pieces.add(Scan.range(start, stop).columns(scan.columns()).filter(scan.filter()));
    return pieces;
  }

  int size() {
    return parts.size();
  }

  /** All parts, for read-ahead. */
  List<Scan> scans() {
    return parts.stream().map(part -> part.scan).toList();
  }

  /** The next part, or null if all are handed out. */
  synchronized @Nullable FsckPart next() {
    return handedOut < parts.size() ? parts.get(handedOut++) : null;
  }

  synchronized void did(FsckPart part, byte[] key) {
    part.did(key);
    rows++;
  }

  synchronized void finish(FsckPart part) {
    part.finish();
  }

  /** Reports the progress of the run. */
  synchronized void tell(FsckListener listener) {
    int done = 0;
    byte[] resume = null;
    for (FsckPart part : parts) {
      if (part.isDone()) {
        done++;
      } else if (resume == null || Arrays.compareUnsigned(part.next(), resume) < 0) {
        resume = part.next();
      }
    }
    if (resume != null) {
      listener.progress(rows, done, parts.size(), resume);
    }
  }
}
