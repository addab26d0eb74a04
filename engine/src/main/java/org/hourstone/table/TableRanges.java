package org.hourstone.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Scan;

/** Divides tables into ranges of keys, in their order and without gaps. */
public final class TableRanges {
  private TableRanges() {}

  /**
   * A whole table of rows, divided by salt and metric. Half of the bounds divide the UIDs that are
   * assigned in order evenly; the other half divide the whole range evenly, for random and
   * unassigned UIDs.
   *
   * @param assignedMetrics the approximate number of assigned UIDs of metrics
   * @param wanted the approximate number of ranges
   */
  public static List<Scan> ofRows(RowKey keys, long assignedMetrics, int wanted) {
    Schema schema = keys.schema();
    int salts = schema.distinctSalts();
    int each = Math.max(1, wanted / 2 / salts);
    int width = schema.metricWidth();
    BigInteger all = BigInteger.ONE.shiftLeft(width * Byte.SIZE);
    TreeSet<Bytes> bounds = new TreeSet<>();
    for (int salt = 0; salt < salts; salt += Math.max(1, salts / wanted)) {
      for (int i = 0; i < each; i++) {
        bounds.add(bound(keys.salt(salt), width, BigInteger.valueOf(assignedMetrics), i, each));
        bounds.add(bound(keys.salt(salt), width, all, i, each));
      }
    }
    bounds.pollFirst(); // rows before it also belong to the first range
    return between(bounds);
  }

  /** A whole table of rows that begin with a number, divided evenly up to a maximum. */
  public static List<Scan> ofNumbers(int width, long last, int wanted) {
    TreeSet<Bytes> bounds = new TreeSet<>();
    for (int i = 0; i < wanted; i++) {
      bounds.add(bound(new byte[0], width, BigInteger.valueOf(last), i, wanted));
    }
    bounds.pollFirst();
    return between(bounds);
  }

  /** The start of the {@code i}th of several even parts of the numbers after a prefix. */
  private static Bytes bound(byte[] prefix, int width, BigInteger numbers, int i, int parts) {
    byte[] bound = Arrays.copyOf(prefix, prefix.length + width);
    BigInteger number = numbers.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(parts));
    for (int at = bound.length - 1; at >= prefix.length; at--) {
      bound[at] = number.byteValue();
      number = number.shiftRight(Byte.SIZE);
    }
    return new Bytes(bound);
  }

  /** A whole table of any rows, divided at the given keys. */
  public static List<Scan> between(SortedSet<Bytes> bounds) {
    List<Scan> scans = new ArrayList<>();
    byte[] start = new byte[0];
    for (Bytes bound : bounds) {
      scans.add(Scan.range(start, bound.array()));
      start = bound.array();
    }
    scans.add(Scan.range(start, null));
    return scans;
  }

  /** A scan whose start and stop consist of salt, metric and base time, divided by time. */
  public static List<Scan> ofHours(Scan scan, RowKey keys, int wanted) {
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
}
