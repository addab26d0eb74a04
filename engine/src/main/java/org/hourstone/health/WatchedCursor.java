package org.hourstone.health;

import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/** A cursor whose calls are watched; a row costs no registration. */
final class WatchedCursor implements RowCursor {
  private final RowCursor rows;
  private final Call call;
  private final StoreWatch watch;

  WatchedCursor(RowCursor rows, Call call, StoreWatch watch) {
    this.rows = rows;
    this.call = call;
    this.watch = watch;
  }

  @Override
  public @Nullable Row next() {
    call.begin(watch.now());
    try {
      Row row = rows.next();
      watch.answered(call);
      return row;
    } catch (StoreException e) {
      watch.failed(call, e);
      throw e;
    } finally {
      call.end();
    }
  }

  @Override
  public void close() {
    try {
      rows.close();
    } finally {
      watch.end(call);
    }
  }
}
