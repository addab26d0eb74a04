package org.hourstone.kv;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store whose scans continue behind rows that can't be read, if the store behind it {@linkplain
 * UnreadableRowsException says} where to continue. No row is left out without a call of the
 * listener. Reads of single rows fail as usual.
 */
public final class SkippingStore extends ForwardingStore {
  private final Consumer<UnreadableRowsException> lost;

  /**
   * @param lost called with each range that is skipped, by the thread that scans
   */
  public SkippingStore(KeyValueStore delegate, Consumer<UnreadableRowsException> lost) {
    super(delegate);
    this.lost = lost;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return new Rest(family, scan);
  }

  /** The rest of a scan. */
  private final class Rest implements RowCursor {
    private final Family family;
    private Scan scan;
    private long left;
    private @Nullable RowCursor rows;

    Rest(Family family, Scan scan) {
      this.family = family;
      this.scan = scan;
      this.left = scan.limit();
      this.rows = delegate().scan(family, scan);
    }

    @Override
    public @Nullable Row next() {
      while (rows != null) {
        try {
          Row row = rows.next();
          left -= row == null ? 0 : 1;
          return row;
        } catch (UnreadableRowsException e) {
          skip(e);
        }
      }
      return null;
    }

    private void skip(UnreadableRowsException e) {
      close();
      lost.accept(e);
      byte[] next = e.next();
      if (next != null && left > 0) {
        scan = scan.from(next).limit(left);
        rows = delegate().scan(family, scan);
      } else {
        rows = null;
      }
    }

    @Override
    public void close() {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
