package org.hourstone.retention;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesRemoval;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;

/**
 * Removes the series of which all rows were deleted from the index, with their metadata. Rows that
 * have expired and are not deleted yet count as rows. Thread-safe.
 */
public final class EmptySeries {
  /** Most series have a row of this age, so that few are sought in all rows. */
  private static final long RECENT_SECONDS = 2 * 3600;

  private final SeriesIndex index;
  private final KeyValueReader reader;
  private final RowKey keys;
  private final Consumer<List<byte[]>> metadata;

  /**
   * @param reader of all rows, with those that are not written to their table yet
   * @param metadata deletes that of series
   */
  public EmptySeries(
      SeriesIndex index, KeyValueReader reader, RowKey keys, Consumer<List<byte[]>> metadata) {
    this.index = index;
    this.reader = reader;
    this.keys = keys;
    this.metadata = metadata;
  }

  /**
   * Removes such series of metrics. Nothing is removed if other processes or databases may write,
   * since they may use the entries that they know, or if the index is not complete.
   *
   * @param metrics whether a metric's series may be without rows
   * @param now in seconds since the epoch
   * @return the number of series
   */
  long remove(Predicate<byte[]> metrics, long now) {
    SeriesRemoval removal = index.removal();
    if (!index.isOn()
        || !removal.isAllowed()
        || !index.status().complete()
        || !index.hasOwnBucketsOnly()
        || index.coversOtherTables()) {
      return 0;
    }
    List<byte[]> some = new ArrayList<>();
    index.forEachMetric(
        (metric, series) -> {
          if (metrics.test(metric)) {
            some.add(metric);
          }
        });
    long removed = 0;
    for (byte[] metric : some) {
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
      removed += removal.remove(metric, (of, each) -> read(of, now, each), metadata);
    }
    return removed;
  }

  private void read(byte[] metric, long now, Predicate<byte[]> each) {
    long recent = Math.max(0, now - RECENT_SECONDS);
    boolean unused = read(metric, recent, Long.MAX_VALUE, each) && read(metric, 0, recent, each);
  }

  /** Returns whether more rows are sought. */
  private boolean read(byte[] metric, long from, long to, Predicate<byte[]> each) {
    for (Family family : index.rowFamilies()) {
      for (int salt = 0; salt < keys.schema().distinctSalts(); salt++) {
        byte[] prefix = SaltedMetrics.prefix(keys.salt(salt), metric);
        Scan all = Scan.prefix(prefix).columns(Columns.allAsStored());
        Scan since = all.from(SaltedMetrics.hour(keys, prefix, from));
        Scan scan =
            to == Long.MAX_VALUE ? since : since.until(SaltedMetrics.hour(keys, prefix, to));
        if (!read(family, scan, each)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean read(Family family, Scan scan, Predicate<byte[]> each) {
    try (LongScan rows = new LongScan(reader, family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (keys.isSeriesRow(row.key()) && !each.test(keys.tsuid(row.key()))) {
          return false;
        }
      }
    }
    return true;
  }
}
