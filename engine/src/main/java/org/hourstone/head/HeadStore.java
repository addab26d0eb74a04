package org.hourstone.head;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A store whose rows of points are read with the points of the head: as if each open row had been
 * sealed right before. For readers; rows read here are not fit to be replaced.
 *
 * <p>The open row is looked up first, then the stored row is read, and then the open row's points
 * are taken. If it was sealed in between, both are read again: what is returned was true at a
 * moment.
 */
final class HeadStore extends ForwardingStore {
  private final VisibleRows open;
  private final Family points;
  private final CellOptions cells;

  HeadStore(KeyValueStore store, VisibleRows open, Family points, CellOptions cells) {
    super(store);
    this.open = open;
    this.points = points;
    this.cells = cells;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return family.equals(points)
        ? get(row, columns, new RowPoints())
        : super.get(family, row, columns);
  }

  private Row get(byte[] key, Columns columns, RowPoints scratch) {
    while (true) {
      OpenRow row = open.row(key);
      Row merged = merged(super.get(points, key, columns), row, columns, scratch);
      if (merged != null) {
        return merged;
      }
    }
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    if (!family.equals(points)) {
      return super.get(family, rows, columns);
    }
    List<@Nullable OpenRow> found = new ArrayList<>(rows.size());
    rows.forEach(row -> found.add(open.row(row)));
    List<Row> read = new ArrayList<>(super.get(family, rows, columns));
    RowPoints scratch = new RowPoints();
    for (int i = 0; i < read.size(); i++) {
      read.set(i, mergedOrReadAgain(read.get(i), found.get(i), columns, scratch));
    }
    return read;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    if (!family.equals(points)) {
      return super.scan(family, scan);
    }
    return new HeadCursor(open, rest -> super.scan(points, rest), this::mergedOrReadAgain, scan);
  }

  /** A row that was read, with the points of the open one, if there is one. */
  private Row mergedOrReadAgain(
      Row stored, @Nullable OpenRow row, Columns columns, RowPoints scratch) {
    Row merged = merged(stored, row, columns, scratch);
    return merged == null ? get(stored.key(), columns, scratch) : merged;
  }

  /** Null if the open row was sealed in between. */
  private @Nullable Row merged(
      Row stored, @Nullable OpenRow row, Columns columns, RowPoints scratch) {
    if (row == null) {
      return stored;
    }
    OpenPoints more = row.openPoints();
    return more == null ? null : new RowMerger(scratch, cells).merge(stored, more, columns);
  }
}
