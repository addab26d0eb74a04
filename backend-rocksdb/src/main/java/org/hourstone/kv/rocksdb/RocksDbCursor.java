package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.UnreadableRowsException;
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
 * store. The monitor, which is entered only within the scope, excludes {@link #next}; closing a
 * scope waits for running calls before it releases resources. If the store is opened again, the
 * cursor goes on there after the last row it has returned or skipped.
 */
final class RocksDbCursor implements RowCursor, Scope.Resource {
  static final int RUN = 10_000;

  private final Instances instances;
  private final Family family;
  private final Scan scan;
  private final byte[] upper;
  private Scope scope;
  private @Nullable CellIterator cells;
  private long left;
  private int leftOfRun = RUN;
  private boolean isClosed;

  /** Fails all further calls: an iterator that has failed may seem to be at its end. */
  private @Nullable UnreadableRowsException failure;

  /** The last row that was read or skipped; null if there was none. */
  private byte @Nullable [] last;

  private RocksDbCursor(Instances instances, Family family, Scan scan, Opened opened) {
    this.instances = instances;
    this.family = family;
    this.scan = scan;
    byte[] stop = scan.stop();
    this.upper = stop == null ? FlatKeys.beyondAll() : FlatKeys.bound(stop);
    this.left = scan.limit();
    this.scope = opened.scope();
    this.cells = iterator(opened);
  }

  static RocksDbCursor open(Instances instances, Family family, Scan scan) {
    return instances.call(
        opened -> {
          RocksDbCursor cursor = new RocksDbCursor(instances, family, scan, opened);
          opened.scope().opened(cursor);
          return cursor;
        });
  }

  @Override
  public @Nullable Row next() {
    return instances.call(this::next);
  }

  private synchronized @Nullable Row next(Opened opened) {
    if (isClosed) {
      throw new IllegalStateException("the cursor is closed");
    }
    try {
      CellIterator present = cells;
      if (present == null) { // the store was opened again
        present = iterator(opened);
        cells = present;
        scope = opened.scope();
        scope.opened(this);
      }
      return advance(opened, present);
    } catch (StoreException e) {
      if (failure != null || !RocksDbErrors.isUnreadable(e)) {
        throw e;
      }
      failure = unreadable(opened, e);
      throw failure;
    }
  }

  @Override
  public void close() {
    Scope present;
    synchronized (this) {
      isClosed = true;
      present = scope;
    }
    present.release(this);
  }

  @Override
  public synchronized void release() {
    if (cells != null) {
      cells.close();
      cells = null;
    }
  }

  /** An iterator at the row after the last one. */
  private CellIterator iterator(Opened opened) {
    CellIterator iterator = opened.reader().iterator(family, upper);
    iterator.seek(last == null ? FlatKeys.bound(scan.start()) : FlatKeys.afterRow(last));
    return iterator;
  }

  /** The end of a row is found by reading the next cell, which may be in a corrupt block. */
  private Row take(Opened opened, CellIterator cells, byte[] key) {
    try {
      return cells.take(key, scan.columns());
    } catch (StoreException e) {
      if (!RocksDbErrors.isUnreadable(e)) {
        throw e;
      }
      Row alone;
      try (CellIterator own = opened.reader().iterator(family, FlatKeys.afterRow(key))) {
        own.seek(FlatKeys.bound(key));
        alone = own.onRow() ? own.take(key, scan.columns()) : Row.empty(key);
      }
      last = key;
      failure = unreadable(opened, e);
      return alone;
    }
  }

  private UnreadableRowsException unreadable(Opened opened, StoreException e) {
    byte[] from = last == null ? scan.start() : Arrays.copyOf(last, last.length + 1);
    byte[] next =
        new ReadableRows(() -> opened.reader().iterator(family, upper), scan.stop()).after(from);
    return new UnreadableRowsException(
        String.valueOf(e.getMessage()), family, from, next, e.getCause());
  }

  private @Nullable Row advance(Opened opened, CellIterator cells) {
    RowFilter filter = scan.filter();
    int skipped = 0;
    while (left > 0 && failure == null && cells.onRow()) {
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
        Row row = take(opened, cells, key);
        last = key;
        if (!row.isEmpty()) {
          left--;
          return row;
        }
        continue;
      }
      byte[] hint = filter.seekHint(key);
      last = key;
      if (hint == null) {
        cells.skip(key);
      } else {
        cells.seek(FlatKeys.bound(hint));
      }
    }
    if (failure != null && left > 0) {
      throw failure;
    }
    return null;
  }
}
