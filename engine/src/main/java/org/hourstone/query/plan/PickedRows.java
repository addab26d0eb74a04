package org.hourstone.query.plan;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.rollup.RowSpan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of selected series, read by their keys: hour by hour, in each hour series by series.
 * Every salt bucket is searched if the number of buckets may have changed. Hours in which the
 * metric has no rows at all are skipped: after keys without rows the metric's next row is looked
 * for, less and less often while that does not help. For one thread.
 */
final class PickedRows implements RowCursor {
  private static final int BATCH = 256;

  private static final int MOST_PATIENCE = 64;

  private final Plan plan;
  private final RowKey keys;
  private final List<byte[]> tsuids;
  private final boolean everyBucket;
  private final ScanRange hours;
  private final BooleanSupplier abandoned;
  private long hour;
  private int series;
  private Iterator<Row> batch = List.<Row>of().iterator();

  /** How many batches were read since the last row or the last look for one. */
  private int inVain;

  /** How many batches without a row precede the next look. */
  private int patience = 1;

  /** No hour before this one has rows, other than the current one. */
  private long firstWithRows;

  /**
   * @param abandoned whether to stop; called once in a while
   */
  PickedRows(Plan plan, AccessPath.Picked picked, ScanRange hours, BooleanSupplier abandoned) {
    this.plan = plan;
    this.keys = plan.keys();
    this.tsuids = picked.tsuids();
    this.everyBucket = picked.everyBucket();
    this.hours = hours;
    this.abandoned = abandoned;
    this.hour = hours.startSeconds();
  }

  @Override
  public @Nullable Row next() {
    for (; ; ) {
      while (batch.hasNext()) {
        Row row = batch.next();
        if (!row.isEmpty()) {
          inVain = 0;
          patience = 1;
          return row;
        }
      }
      if (inVain >= patience) {
        skipHours();
      }
      List<byte[]> rows = nextKeys();
      if (rows.isEmpty() || abandoned.getAsBoolean()) {
        return null;
      }
      batch = plan.sources().store().get(plan.source().family(), rows, plan.columns()).iterator();
      inVain++;
    }
  }

  private void skipHours() {
    RowSpan span = plan.source().span();
    long next = series == 0 ? hour : span.next(hour);
    if (next < hours.stopSeconds()) {
      long first = plan.metricRows().firstHour(new ScanRange(next, hours.stopSeconds()));
      firstWithRows = first < hours.stopSeconds() ? span.baseTime(first) : first;
      patience = firstWithRows > next ? 1 : Math.min(2 * patience, MOST_PATIENCE);
      hour = series == 0 ? firstWithRows : hour;
    }
    inVain = 0;
  }

  private List<byte[]> nextKeys() {
    List<byte[]> rows = new ArrayList<>();
    while (rows.size() < BATCH && hour < hours.stopSeconds() && !tsuids.isEmpty()) {
      byte[] tsuid = tsuids.get(series);
      if (everyBucket) {
        rows.addAll(keys.rowKeys(tsuid, hour));
      } else {
        rows.add(keys.rowKey(tsuid, hour));
      }
      if (++series == tsuids.size()) {
        series = 0;
        hour = Math.max(firstWithRows, plan.source().span().next(hour));
      }
    }
    return rows;
  }

  @Override
  public void close() {
    // Every batch is read whole: nothing is held.
  }
}
