package org.hourstone.query.rows;

import java.util.Iterator;
import java.util.List;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * Rows of rolled-up values, and empty ones in the place of rows that are not stored, whose values
 * must be computed from points. For one thread.
 */
public final class RowsWithUnusable implements RowCursor {
  private final RowCursor stored;
  private final int saltWidth;
  private final Iterator<byte[]> more;
  private @Nullable Row next;
  private byte @Nullable [] nextMore;
  private boolean begun;

  /**
   * @param stored in the order of their keys without the salt
   * @param more keys, in the same order
   */
  public RowsWithUnusable(RowCursor stored, int saltWidth, List<byte[]> more) {
    this.stored = stored;
    this.saltWidth = saltWidth;
    this.more = more.iterator();
  }

  @Override
  public @Nullable Row next() {
    if (!begun) {
      begun = true;
      next = stored.next();
      nextMore = more.hasNext() ? more.next() : null;
    }
    while (nextMore != null) {
      byte[] key = nextMore;
      int order = next == null ? 1 : MergedRows.compare(next.key(), key, saltWidth);
      if (order < 0) {
        break;
      }
      nextMore = more.hasNext() ? more.next() : null;
      if (order > 0) {
        return Row.empty(key);
      }
    }
    Row row = next;
    if (row != null) {
      next = stored.next();
    }
    return row;
  }

  @Override
  public void close() {
    stored.close();
  }
}
