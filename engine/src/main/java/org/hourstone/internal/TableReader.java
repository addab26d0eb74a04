package org.hourstone.internal;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;

/** Reads whole tables, and reports progress every {@link #STEP} rows. For one thread. */
public final class TableReader {
  private static final int STEP = 1000;

  private final KeyValueReader store;
  private final LongConsumer progress;
  private long rows;

  /**
   * @param progress receives the number of rows processed so far, of all tables
   */
  public TableReader(KeyValueReader store, LongConsumer progress) {
    this.store = store;
    this.progress = progress;
  }

  /**
   * Passes each row of a scan to a consumer, which may change or delete it.
   *
   * @param scan without a limit
   */
  public void read(Family family, Scan scan, Consumer<Row> each) {
    try (LongScan cursor = new LongScan(store, family, scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        each.accept(row);
        if (++rows % STEP == 0) {
          progress.accept(rows);
        }
      }
    }
  }

  /** The number of rows processed so far. */
  public long rows() {
    return rows;
  }
}
