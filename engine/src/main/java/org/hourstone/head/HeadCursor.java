package org.hourstone.head;

import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.RowPoints;
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

  private final HeadStore store;
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

  HeadCursor(HeadStore store, Scan scan) {
    this.store = store;
    this.scan = scan;
    openPart(scan);
  }

  private void openPart(Scan rest) {
    int most = (int) Math.min(OPEN_ROWS, rest.limit());
    open = store.open(rest, most);
    nextOpen = 0;
    if (open.size() < most) {
      nextPart = null;
      stored = store.stored(rest);
    } else {
      byte[] last = open.get(most - 1).key();
      nextPart = Arrays.copyOf(last, last.length + 1);
      stored = store.stored(rest.until(nextPart));
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
    return store.mergedOrReadAgain(base, first, scan.columns(), scratch);
  }

  @Override
  public void close() {
    stored.close();
  }
}
