package org.hourstone.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.jspecify.annotations.Nullable;

/** A scan in pages, each of another moment, distinguished by the number of rows passed. */
final class PagedCursor implements RowCursor {
  private final Supplier<RowCursor> scan;
  private final int size;
  private final Deque<Row> page = new ArrayDeque<>();
  private long passed;

  /**
   * @param scan begins again
   * @param size of a page
   */
  PagedCursor(Supplier<RowCursor> scan, int size) {
    this.scan = scan;
    this.size = size;
    read();
  }

  private void read() {
    try (RowCursor cursor = scan.get()) {
      Row row = cursor.next();
      for (long i = 0; row != null && i < passed + size; i++) {
        if (i >= passed) {
          page.add(row);
        }
        row = cursor.next();
      }
    }
    passed += page.size();
  }

  @Override
  public @Nullable Row next() {
    if (page.isEmpty()) {
      read();
    }
    return page.poll();
  }

  @Override
  public void close() {}
}
