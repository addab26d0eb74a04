package org.hourstone.kv.rocksdb;

import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan. Rows that the filter rejects are skipped without reading their values, by a
 * seek if the filter has a hint.
 *
 * <p>Rows are read in runs of {@link #RUN}, each from one snapshot. Between runs the cursor
 * releases the files it has read, so that a scan that takes hours, and may rewrite the rows it
 * reads, does not keep the old files on disk.
 *
 * <p>Used by one thread at a time, but may be closed by any thread, such as the one that closes the
 * store. The monitor excludes {@link #next}; closing a scope waits for running calls before it
 * releases resources.
 */
final class RocksDbCursor implements RowCursor, Scope.Resource {
  static final int RUN = 10_000;

  private final Scope scope;
  private final Scan scan;
  private final CellIterator cells;
  private long left;
  private int leftOfRun = RUN;
  private boolean released;

  private RocksDbCursor(Scope scope, Scan scan, CellIterator cells) {
    this.scope = scope;
    this.scan = scan;
    this.cells = cells;
    this.left = scan.limit();
  }

  /** Must be called within the scope. */
  static RocksDbCursor open(Scope scope, Scan scan, CellIterator cells) {
    cells.seek(FlatKeys.bound(scan.start()));
    RocksDbCursor cursor = new RocksDbCursor(scope, scan, cells);
    scope.opened(cursor);
    return cursor;
  }

  @Override
  public synchronized @Nullable Row next() {
    return scope.call(
        () -> {
          if (released) {
            throw new IllegalStateException("the cursor is closed");
          }
          return advance();
        });
  }

  @Override
  public void close() {
    scope.release(this);
  }

  @Override
  public synchronized void release() {
    if (!released) {
      released = true;
      cells.close();
    }
  }

  private @Nullable Row advance() {
    RowFilter filter = scan.filter();
    int skipped = 0;
    while (left > 0 && cells.onRow()) {
      if (++skipped % Scan.ROWS_PER_CHECK == 0) {
        scan.check().run();
      }
      byte[] key = cells.row();
      if (leftOfRun-- == 0) {
        leftOfRun = RUN;
        cells.renew(FlatKeys.bound(key));
        continue;
      }
      if (filter.matches(key)) {
        Row row = cells.take(key, scan.columns());
        if (!row.isEmpty()) {
          left--;
          return row;
        }
        continue;
      }
      byte[] hint = filter.seekHint(key);
      if (hint == null) {
        cells.skip(key);
      } else {
        cells.seek(FlatKeys.bound(hint));
      }
    }
    return null;
  }
}
