package org.hourstone.internal;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The salts and metrics of a table's rows, found by skipping from one to the next, so that most
 * rows are not read. Thread-safe.
 */
public final class SaltedMetrics {
  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;

  public SaltedMetrics(KeyValueReader store, Family family, RowKey keys) {
    this.store = store;
    this.family = family;
    this.keys = keys;
  }

  /** The prefix of the keys of a metric's rows in a salt bucket. */
  public static byte[] prefix(byte[] salt, byte[] metric) {
    byte[] prefix = Arrays.copyOf(salt, salt.length + metric.length);
    System.arraycopy(metric, 0, prefix, salt.length, metric.length);
    return prefix;
  }

  /**
   * The start of the keys of an hour.
   *
   * @param prefix salt and metric
   * @param baseTime in seconds since the epoch; one that a key can't have is taken as the last one
   */
  public static byte[] hour(RowKey keys, byte[] prefix, long baseTime) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + Schema.BASE_TIME_WIDTH);
    keys.setBaseTime(key, Math.min(baseTime, Timestamps.MAX_SECONDS));
    return key;
  }

  /** The UID of a prefix. */
  public byte[] metric(byte[] prefix) {
    return Arrays.copyOfRange(prefix, keys.schema().saltWidth(), prefix.length);
  }

  /**
   * Passes each salt and metric of the rows of a scan to a callback, ascending. The rows of global
   * annotations have one of zeros.
   *
   * @param scan without a limit
   * @param tooShort receives the keys of rows that are too short to have a metric
   * @param action receives the prefix of the rows, returns whether to continue
   * @return false if the callback has ended it
   */
  public boolean forEach(Scan scan, Consumer<byte[]> tooShort, Predicate<byte[]> action) {
    int width = keys.schema().baseTimeOffset();
    return forEachFirst(
        scan,
        row -> {
          if (row.length < width) {
            tooShort.accept(row);
            return true;
          }
          return action.test(Arrays.copyOf(row, width));
        });
  }

  /**
   * Passes the first row of each salt and metric of a scan to a callback, and rows that are too
   * short to have a metric.
   *
   * @param scan without a limit
   * @param action receives the key of the row, returns whether to continue
   * @return false if the callback has ended it
   */
  public boolean forEachFirst(Scan scan, Predicate<byte[]> action) {
    int width = keys.schema().baseTimeOffset();
    Scan rest = scan;
    for (byte[] row = first(rest); row != null; row = first(rest)) {
      if (!action.test(row)) {
        return false;
      }
      byte[] next =
          row.length < width
              ? Arrays.copyOf(row, row.length + 1)
              : Scan.prefix(Arrays.copyOf(row, width)).stop();
      byte[] stop = rest.stop();
      if (next == null || (stop != null && Arrays.compareUnsigned(next, stop) >= 0)) {
        return true;
      }
      rest = rest.from(next);
    }
    return true;
  }

  /** Whether a scan has a row. */
  public boolean hasRow(Scan scan) {
    return first(scan) != null;
  }

  private byte @Nullable [] first(Scan scan) {
    try (RowCursor rows = store.scan(family, scan.limit(1).rowsPerFetch(1))) {
      Row row = rows.next();
      return row == null ? null : row.key();
    }
  }
}
