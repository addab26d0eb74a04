package org.hourstone.head;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan with their open points, in the order of their keys. Reads part by part: open
 * rows are taken before the stored rows up to the last of them are read, and only a few at a time,
 * so that they need little memory.
 */
final class HeadCursor implements RowCursor {
  private static final int OPEN_ROWS = 1000;

  /** Merges rows that were read with open ones. */
  interface Merging {
    /** If the open row was sealed in between, the row is read again. */
    Row merge(Row stored, OpenRow open, Columns columns, RowPoints scratch);
  }

  private final VisibleRows visible;
  private final Function<Scan, RowCursor> store;
  private final Merging merging;
  private final Scan scan;
  private final RowPoints scratch = new RowPoints();
  private RowCursor stored;
  private List<OpenRow> open;
  private int nextOpen;
  private @Nullable Row nextStored;
  private boolean ended;
  private long delivered;

  /** Where the next part begins; null if this is the last one. */
  private byte @Nullable [] nextPart;

  /**
   * @param visible the open rows
   * @param store reads rows as they are stored
   */
  HeadCursor(VisibleRows visible, Function<Scan, RowCursor> store, Merging merging, Scan scan) {
    this.visible = visible;
    this.store = store;
    this.merging = merging;
    this.scan = scan;
    openPart(scan);
  }

  private void openPart(Scan rest) {
    int most = (int) Math.min(OPEN_ROWS, rest.limit());
    open = visible.rows(rest, most);
    nextOpen = 0;
    if (open.size() < most) {
      nextPart = null;
      stored = store.apply(rest);
    } else {
      byte[] last = open.get(most - 1).key();
      nextPart = Arrays.copyOf(last, last.length + 1);
      stored = store.apply(rest.until(nextPart));
    }
    ended = false;
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
        if (nextPart == null) {
          return null;
        }
        stored.close();
        openPart(scan.from(nextPart).limit(scan.limit() - delivered));
      } else if (!row.isEmpty()) {
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
    return merging.merge(base, first, scan.columns(), scratch);
  }

  @Override
  public void close() {
    stored.close();
  }
}
