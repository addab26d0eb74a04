package org.hourstone.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/** A cell of the row for which changes are planned, and its planned outcome. */
public final class RowPart {
  /** The planned outcome for the cell. */
  public enum Fate {
    /** It stays as it is. */
    STAYS,
    /** It stays although it is corrupt: repairing it was not permitted. */
    STAYS_CORRUPT,
    /** It is rewritten from {@link #points}, and removed if there are none. */
    REWRITTEN,
    /** It is removed. */
    GOES
  }

  public final int index;
  public final byte[] qualifier;
  public final long writeTime;
  public final DataCell cell;

  /** The points the cell will hold, ascending. */
  public final List<StoredPoint> points = new ArrayList<>();

  /** The points among them that another cell holds. */
  final Set<StoredPoint> dropped = new HashSet<>();

  /** The points that belong in other rows. */
  public final List<StoredPoint> outside = new ArrayList<>();

  public Fate fate = Fate.STAYS;

  public RowPart(Row row, int index) {
    this.index = index;
    this.qualifier = row.qualifier(index);
    this.writeTime = row.writeTime(index);
    this.cell = DataCell.of(qualifier, row.value(index));
  }

  /** A cell that is in no row, with its points. */
  static RowPart of(Cell cell) {
    RowPart part =
        new RowPart(
            Row.of(
                new byte[] {0},
                new byte[][] {cell.qualifier()},
                new byte[][] {cell.value()},
                new long[] {cell.writeTime()}),
            0);
    part.takePoints();
    return part;
  }

  /** Sets the points to those a reader would get. */
  public void takePoints() {
    RowPoints read = cell.pointsInOrder();
    for (int i = 0; i < read.size(); i++) {
      points.add(StoredPoint.of(read, i, this));
    }
  }

  /** The points that the cells will hold, by their offsets, in the order of the cells. */
  public static Map<Integer, List<StoredPoint>> byOffset(List<RowPart> parts) {
    Map<Integer, List<StoredPoint>> points = new TreeMap<>();
    for (RowPart part : parts) {
      for (StoredPoint point : part.points) {
        points.computeIfAbsent(point.offset(), offset -> new ArrayList<>()).add(point);
      }
    }
    return points;
  }

  public boolean isCorrupt() {
    return fate == Fate.STAYS_CORRUPT;
  }

  /** Drops a point. */
  public void drop(StoredPoint point) {
    dropped.add(point);
    fate = Fate.REWRITTEN;
  }

  /** The cell that replaces this one; null if it is only removed. */
  public @Nullable Cell replacement(boolean shorten) {
    List<StoredPoint> kept =
        points.stream()
            .filter(point -> !dropped.contains(point))
            .map(point -> shorten ? point.shortened() : point)
            .toList();
    if (fate != Fate.REWRITTEN || kept.isEmpty()) {
      return null;
    }
    RowPoints all = StoredPoint.toRowPoints(kept);
    if (cell.kind() == CellKind.APPEND) {
      return new Cell(qualifier, AppendCell.encode(all), writeTime);
    }
    CompactedCell packed = CompactedCell.of(all, 0, all.size());
    return new Cell(packed.qualifier(), packed.value(), writeTime);
  }
}
