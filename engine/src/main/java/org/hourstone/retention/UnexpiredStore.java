package org.hourstone.retention;

import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A store whose reads don't return rows that have expired, whether or not they are deleted yet.
 * Thread-safe.
 */
final class UnexpiredStore extends ForwardingStore {
  private final Expiry expiry;

  UnexpiredStore(KeyValueStore delegate, Expiry expiry) {
    super(delegate);
    this.expiry = expiry;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return unexpired(family, super.get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return super.get(family, rows, columns).stream().map(row -> unexpired(family, row)).toList();
  }

  private Row unexpired(Family family, Row row) {
    boolean isHidden = !row.isEmpty() && expiry.expiredBy(family, row.key()) != null;
    return isHidden ? Row.empty(row.key()) : row;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return new Unexpired(family, scan);
  }

  /** The limit of a scan counts what it returns, so it can't be the store's. */
  private final class Unexpired implements RowCursor {
    private final Family family;
    private final Scan scan;
    private final RowCursor rows;
    private long left;
    private long hidden;

    Unexpired(Family family, Scan scan) {
      this.family = family;
      this.scan = scan;
      this.left = scan.limit();
      this.rows = delegate().scan(family, scan.limit(Scan.NO_LIMIT));
    }

    @Override
    public @Nullable Row next() {
      for (Row row = left > 0 ? rows.next() : null; row != null; row = rows.next()) {
        if (expiry.expiredBy(family, row.key()) == null) {
          left--;
          return row;
        }
        hidden++;
        if (hidden % Scan.ROWS_PER_CHECK == 0) {
          scan.check().run();
        }
      }
      return null;
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
