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
 */
final class HeadStore extends ForwardingStore {
  private final Head head;
  private final Family points;
  private final int maxCellBytes;

  HeadStore(KeyValueStore store, Head head, Family points, int maxCellBytes) {
    super(store);
    this.head = head;
    this.points = points;
    this.maxCellBytes = maxCellBytes;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    OpenPoints open = family.equals(points) ? head.points(row) : null;
    Row stored = super.get(family, row, columns);
    return open == null ? stored : merger().merge(stored, open, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    if (!family.equals(points)) {
      return super.get(family, rows, columns);
    }
    List<@Nullable OpenPoints> open = new ArrayList<>(rows.size());
    rows.forEach(row -> open.add(head.points(row)));
    List<Row> merged = new ArrayList<>(super.get(family, rows, columns));
    RowMerger merger = merger();
    for (int i = 0; i < merged.size(); i++) {
      OpenPoints more = open.get(i);
      if (more != null) {
        merged.set(i, merger.merge(merged.get(i), more, columns));
      }
    }
    return merged;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    if (!family.equals(points)) {
      return super.scan(family, scan);
    }
    List<OpenPoints> open = head.points(scan);
    RowCursor stored = super.scan(family, scan);
    return open.isEmpty() ? stored : new HeadCursor(stored, open, scan, merger());
  }

  private RowMerger merger() {
    return new RowMerger(new RowPoints(), maxCellBytes);
  }
}
