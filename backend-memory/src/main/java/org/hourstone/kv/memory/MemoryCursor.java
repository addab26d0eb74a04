package org.hourstone.kv.memory;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** Iterates over the live rows of a range, and skips keys as the filter allows. */
final class MemoryCursor implements RowCursor {
  private final MemoryStore store;
  private final MemoryFamily family;
  private final byte @Nullable [] stop;
  private final Columns columns;
  private final RowFilter filter;
  private final Runnable check;
  private Iterator<Map.Entry<byte[], MemoryRow>> entries;
  private long left;
  private boolean closed;

  MemoryCursor(MemoryStore store, MemoryFamily family, Scan scan) {
    byte[] end = scan.stop();
    this.store = store;
    this.family = family;
    this.stop = end == null ? null : end.clone();
    this.columns = scan.columns();
    this.filter = scan.filter();
    this.check = scan.check();
    this.left = scan.limit();
    this.entries = from(scan.start().clone());
  }

  @Override
  public @Nullable Row next() {
    return store.whileOpen(this::advance);
  }

  private @Nullable Row advance() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    byte[] hint = null;
    int skipped = 0;
    while (left > 0 && entries.hasNext()) {
      if (++skipped % Scan.ROWS_PER_CHECK == 0) {
        check.run();
      }
      Map.Entry<byte[], MemoryRow> entry = entries.next();
      byte[] key = entry.getKey();
      if (hint != null && Arrays.compareUnsigned(key, hint) < 0) {
        entries = from(hint);
        hint = null;
      } else if (filter.matches(key)) {
        Row row = entry.getValue().read(key, columns);
        hint = null;
        if (!row.isEmpty()) {
          left--;
          return row;
        }
      } else {
        hint = filter.seekHint(key);
      }
    }
    return null;
  }

  private Iterator<Map.Entry<byte[], MemoryRow>> from(byte[] key) {
    return stop != null && Arrays.compareUnsigned(key, stop) >= 0
        ? Collections.emptyIterator()
        : family.range(key, stop).entrySet().iterator();
  }

  @Override
  public void close() {
    closed = true;
  }
}
