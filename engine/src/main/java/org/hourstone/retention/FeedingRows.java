package org.hourstone.retention;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;

/**
 * Rows of values from which those of days are computed. One stays as long as a row of points of its
 * days may change: that day is computed again then, and must have all its hours.
 */
final class FeedingRows {
  private static final long DAY = 86_400;

  private final KeyValueReader store;
  private final Family points;
  private final RowKey keys;
  private final Expiry expiry;
  private final ExpiringPoints expiring;
  private final boolean dryRun;

  /**
   * @param points the family of rows of points
   * @param dryRun whether points that have expired are still stored that would be deleted
   */
  FeedingRows(
      KeyValueReader store,
      Family points,
      RowKey keys,
      Expiry expiry,
      ExpiringPoints expiring,
      boolean dryRun) {
    this.store = store;
    this.points = points;
    this.keys = keys;
    this.expiry = expiry;
    this.expiring = expiring;
    this.dryRun = dryRun;
  }

  /** Whether a table has such rows. */
  boolean areIn(Expiry.Table table) {
    return expiring.feedsDays(table.family());
  }

  /**
   * The base time before which rows of a metric may not be needed, in seconds; 0 if all are.
   *
   * @param metric its UID
   */
  long mayBeUnneededBefore(byte[] metric) {
    return expiry.mayHaveExpiredBefore(Expiry.Table.ofPoints(points), metric);
  }

  /** Whether a row is needed. Days are asked for one by one, as few rows are longer. */
  boolean isNeeded(Expiry.Table table, byte[] row) {
    byte[] tsuid = keys.tsuid(row);
    long base = keys.baseTime(row);
    long end = table.span().next(base);
    for (long day = base - base % DAY; day < end; day += DAY) {
      if (mayChange(tsuid, day)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayChange(byte[] tsuid, long day) {
    long last = day + DAY - Timestamps.ROW_SECONDS;
    if (expiry.expiredBy(points, keys.rowKey(tsuid, last)) == null) {
      return true;
    }
    List<byte[]> own = new ArrayList<>();
    List<byte[]> all = new ArrayList<>();
    for (long hour = day; hour <= last; hour += Timestamps.ROW_SECONDS) {
      own.add(keys.rowKey(tsuid, hour));
      all.addAll(keys.rowKeys(tsuid, hour));
    }
    // A row that is marked may not be stored yet.
    if (!expiring.awaited(own).isEmpty()) {
      return true;
    }
    return !dryRun
        && !store.get(points, all, Columns.allAsStored()).stream().allMatch(Row::isEmpty);
  }
}
