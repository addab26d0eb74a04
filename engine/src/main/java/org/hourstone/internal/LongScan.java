package org.hourstone.internal;

import java.util.Arrays;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over many rows that is periodically reopened. An open cursor retains the store's state
 * at the time it was opened (RocksDB: files that were replaced since), which accumulates if rows
 * are rewritten during the scan.
 */
public final class LongScan implements RowCursor {
  /** The default number of rows after which the cursor is reopened. */
  public static final int ROWS = 10_000;

  private static final long BYTES = 64L << 20;

  private final KeyValueReader store;
  private final Family family;
  private final Scan scan;
  private final int rowsPerCursor;
  private RowCursor cursor;
  private byte[] last = {};
  private int rows;
  private long bytes;

  /**
   * @param scan without a limit
   */
  public LongScan(KeyValueReader store, Family family, Scan scan) {
    this(store, family, scan, ROWS);
  }

  /**
   * @param scan without a limit
   * @param rowsPerCursor the number of rows after which the cursor is reopened
   */
  public LongScan(KeyValueReader store, Family family, Scan scan, int rowsPerCursor) {
    if (scan.limit() != Scan.NO_LIMIT) {
      throw new IllegalArgumentException("a scan with a limit of " + scan.limit() + " rows");
    }
    this.store = store;
    this.family = family;
    this.scan = scan;
    this.rowsPerCursor = rowsPerCursor;
    this.cursor = store.scan(family, scan);
  }

  @Override
  public @Nullable Row next() {
    if (rows >= rowsPerCursor || bytes >= BYTES) {
      open();
    }
    Row row = cursor.next();
    if (row != null) {
      last = row.key();
      rows++;
      for (int i = 0; i < row.size(); i++) {
        bytes += row.qualifier(i).length + row.value(i).length;
      }
    }
    return row;
  }

  private void open() {
    cursor.close();
    byte[] next = Arrays.copyOf(last, last.length + 1);
    cursor = store.scan(family, scan.from(next).limit(Scan.NO_LIMIT));
    rows = 0;
    bytes = 0;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
