package org.hourstone.query.rows;

import java.util.Arrays;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/** Where the rows of one metric are in a table of values. Thread-safe. */
public record MetricRows(KeyValueReader store, Family family, RowKey keys, byte[] metric) {
  /** The scan of some hours of a salt bucket. */
  public Scan scan(int bucket, ScanRange hours) {
    return Scan.range(bound(bucket, hours.startSeconds()), bound(bucket, hours.stopSeconds()));
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

  /** The first of some hours that has a row of any series; the stop if none has. */
  public long firstHour(ScanRange hours) {
    long first = hours.stopSeconds();
    for (int bucket = 0; bucket < keys.schema().distinctSalts(); bucket++) {
      ScanRange earlier = new ScanRange(hours.startSeconds(), first);
      try (RowCursor rows = store.scan(family, scan(bucket, earlier).limit(1).rowsPerFetch(1))) {
        Row row = rows.next();
        if (row != null) {
          // A key that is too short belongs to no hour.
          boolean whole = row.key().length >= keys.schema().tagsOffset();
          first = whole ? Math.min(first, keys.baseTime(row.key())) : hours.startSeconds();
        }
      }
    }
    return first;
  }

  /** About how many rows some hours have, from those of the first salt bucket; at most a number. */
  public long count(ScanRange hours, long most) {
    int buckets = keys.schema().distinctSalts();
    long count = 0;
    try (RowCursor rows = store.scan(family, scan(0, hours).limit(most / buckets + 1))) {
      while (rows.next() != null) {
        count += buckets;
      }
    }
    return Math.min(count, most);
  }
}
