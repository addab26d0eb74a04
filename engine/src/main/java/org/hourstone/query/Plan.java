package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;

/**
 * The plan of a query: which rows are read, and how their series are selected and grouped.
 * Thread-safe.
 */
final class Plan {
  private final RowKey keys;
  private final byte[] metric;
  private final ScanRange range;
  private final RowFilter rowFilter;
  private final List<NameFilter> nameFilters;
  private final Set<Bytes> tsuids;
  private final List<byte[]> groupBy;
  private final AccessPath chosen;

  /**
   * @param metric whose rows are read
   * @param rowFilter the condition that row keys must meet
   * @param nameFilters the filters that must be tested by name
   * @param tsuids the TSUIDs requested; empty for all series that pass the filters
   * @param groupBy the UIDs of the tags to group by, ascending
   * @param chosen the series, if they are known before reading
   */
  Plan(
      RowKey keys,
      byte[] metric,
      ScanRange range,
      RowFilter rowFilter,
      List<NameFilter> nameFilters,
      Set<Bytes> tsuids,
      List<byte[]> groupBy,
      AccessPath chosen) {
    this.keys = keys;
    this.metric = metric;
    this.range = range;
    this.rowFilter = rowFilter;
    this.nameFilters = nameFilters;
    this.tsuids = tsuids;
    this.groupBy = groupBy;
    this.chosen = chosen;
  }

  byte[] metric() {
    return metric;
  }

  ScanRange range() {
    return range;
  }

  RowFilter rowFilter() {
    return rowFilter;
  }

  List<NameFilter> nameFilters() {
    return nameFilters;
  }

  List<byte[]> groupBy() {
    return groupBy;
  }

  AccessPath chosen() {
    return chosen;
  }

  /** Whether a series is selected, according to the filters that are not applied to row keys. */
  boolean passes(byte[] tsuid) {
    if (!tsuids.isEmpty() && !tsuids.contains(new Bytes(tsuid))) {
      return false;
    }
    for (NameFilter filter : nameFilters) {
      if (!filter.passes(keys, tsuid)) {
        return false;
      }
    }
    return true;
  }

  /** All scans of the whole range, one per salt bucket. */
  List<Scan> scans() {
    return scans(range, 0, keys.schema().distinctSalts());
  }

  /**
   * The scans of some hours and salt buckets, one per bucket.
   *
   * @param firstSalt the first bucket
   * @param stopSalt the bucket after the last
   */
  List<Scan> scans(ScanRange hours, int firstSalt, int stopSalt) {
    List<Scan> scans = new ArrayList<>(stopSalt - firstSalt);
    for (int bucket = firstSalt; bucket < stopSalt; bucket++) {
      byte[] start = bound(bucket, hours.startSeconds());
      byte[] stop = bound(bucket, hours.stopSeconds());
      scans.add(Scan.range(start, stop).filter(rowFilter));
    }
    return scans;
  }

  /**
   * Salt, metric and base time; after the last base time, the first key after the metric's rows.
   */
  private byte[] bound(int bucket, long seconds) {
    byte[] salt = keys.salt(bucket);
    byte[] key = Arrays.copyOf(salt, salt.length + metric.length + Schema.BASE_TIME_WIDTH);
    System.arraycopy(metric, 0, key, salt.length, metric.length);
    if (seconds > 0xFFFF_FFFFL) {
      Arrays.fill(key, salt.length + metric.length, key.length, (byte) 0xFF);
    } else {
      keys.setBaseTime(key, seconds);
    }
    return key;
  }
}
