package org.hourstone.query;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * The rows of selected series, read by their keys: hour by hour, in each hour series by series.
 * Every salt bucket is searched, since the number of buckets may have changed. For one thread.
 */
final class PickedRows implements RowCursor {
  private static final int BATCH = 256;

  private final Plan plan;
  private final RowKey keys;
  private final List<byte[]> tsuids;
  private final ScanRange hours;
  private long hour;
  private int series;
  private Iterator<Row> batch = List.<Row>of().iterator();

  PickedRows(Plan plan, List<byte[]> tsuids, ScanRange hours) {
    this.plan = plan;
    this.keys = plan.keys();
    this.tsuids = tsuids;
    this.hours = hours;
    this.hour = hours.startSeconds();
  }

  @Override
  public @Nullable Row next() {
    for (; ; ) {
      while (batch.hasNext()) {
        Row row = batch.next();
        if (!row.isEmpty()) {
          return row;
        }
      }
      List<byte[]> rows = nextKeys();
      if (rows.isEmpty()) {
        return null;
      }
      batch = plan.sources().store().get(plan.source().family(), rows, Columns.all()).iterator();
    }
  }

  private List<byte[]> nextKeys() {
    List<byte[]> rows = new ArrayList<>();
    while (rows.size() < BATCH && hour < hours.stopSeconds() && !tsuids.isEmpty()) {
      addKeys(rows);
      if (++series == tsuids.size()) {
        series = 0;
        hour = plan.source().span().next(hour);
      }
    }
    return rows;
  }

  private void addKeys(List<byte[]> rows) {
    byte[] own = keys.rowKey(tsuids.get(series), hour);
    if (keys.schema().saltWidth() == 0) {
      rows.add(own);
      return;
    }
    for (int bucket = 0; bucket < keys.schema().distinctSalts(); bucket++) {
      byte[] row = own.clone();
      byte[] salt = keys.salt(bucket);
      System.arraycopy(salt, 0, row, 0, salt.length);
      rows.add(row);
    }
  }

  @Override
  public void close() {
    // Every batch is read whole: nothing is held.
  }
}
