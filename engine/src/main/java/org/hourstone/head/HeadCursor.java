package org.hourstone.head;

import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan, and open rows that were taken before it began, in the order of their keys.
 */
final class HeadCursor implements RowCursor {
  private final HeadStore store;
  private final RowCursor stored;
  private final List<OpenRow> open;
  private final Scan scan;
  private final RowPoints scratch = new RowPoints();
  private int nextOpen;
  private @Nullable Row nextStored;
  private boolean ended;
  private long delivered;

  /**
   * @param open ascending, and all of them match the scan's filter
   */
  HeadCursor(HeadStore store, RowCursor stored, List<OpenRow> open, Scan scan) {
    this.store = store;
    this.stored = stored;
    this.open = open;
    this.scan = scan;
  }

  @Override
  public @Nullable Row next() {
    while (delivered < scan.limit()) {
      if (nextStored == null && !ended) {
        nextStored = stored.next();
        ended = nextStored == null;
      }
      Row row = nextRow();
      if (row == null) {
        return null;
      }
      if (!row.isEmpty()) {
        delivered++;
        return row;
      }
    }
    return null;
  }

  /** The next row, which may have no cells among the columns; null after the last one. */
  private @Nullable Row nextRow() {
    Row row = nextStored;
    if (nextOpen == open.size()) {
      nextStored = null;
      return row;
    }
    OpenRow first = open.get(nextOpen);
    int order = row == null ? 1 : Arrays.compareUnsigned(row.key(), first.key());
    if (row != null && order <= 0) {
      nextStored = null;
    }
    if (row != null && order < 0) {
      return row;
    }
    nextOpen++;
    Row base = row != null && order == 0 ? row : Row.empty(first.key());
    return store.mergedOrReadAgain(base, first, scan.columns(), scratch);
  }

  @Override
  public void close() {
    stored.close();
  }
}
