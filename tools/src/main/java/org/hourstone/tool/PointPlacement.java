package org.hourstone.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Row;
import org.hourstone.rewrite.RowPart;
import org.hourstone.rewrite.StoredPoint;

/**
 * Computes how points from other rows are placed in the row they belong to. Does not access the
 * store.
 */
final class PointPlacement {
  /** The result of placing a point in a row. */
  private enum Fit {
    COMES,
    IS_THERE,
    REFUSED
  }

  private final Row target;
  private final FsckOptions options;
  private final List<RowPart> parts = new ArrayList<>();
  private final Map<Integer, StoredPoint> placed = new TreeMap<>();
  private boolean complete = true;

  /**
   * @param target the row as it was read
   * @param points the points, with offsets in the target row
   */
  PointPlacement(Row target, List<StoredPoint> points, FsckOptions options) {
    this.target = target;
    this.options = options;
    for (int i = 0; i < target.size(); i++) {
      RowPart part = new RowPart(target, i);
      part.takePoints();
      parts.add(part);
    }
    Map<Integer, List<StoredPoint>> present = RowPart.byOffset(parts);
    points.forEach(point -> add(point, present.getOrDefault(point.offset(), List.of())));
  }

  private void add(StoredPoint point, List<StoredPoint> rivals) {
    StoredPoint other = placed.get(point.offset());
    if (other == null) {
      Fit fit = fit(rivals, point);
      complete &= fit != Fit.REFUSED;
      if (fit == Fit.COMES) {
        placed.put(point.offset(), point);
      }
    } else if (!other.hasValueOf(point)) {
      if (!options.permits(FsckAction.RESOLVE_DUPLICATES)) {
        complete = false;
      } else if (options.keep().winner(List.of(other, point)) == 1) {
        placed.put(point.offset(), point);
      }
    }
  }

  private Fit fit(List<StoredPoint> rivals, StoredPoint point) {
    if (rivals.isEmpty()) {
      return Fit.COMES;
    }
    boolean corrupt = rivals.stream().anyMatch(rival -> rival.part().cell.isCorrupt());
    if (!corrupt && rivals.stream().allMatch(rival -> rival.hasValueOf(point))) {
      return Fit.IS_THERE;
    }
    if (corrupt || !options.permits(FsckAction.RESOLVE_DUPLICATES)) {
      return Fit.REFUSED;
    }
    List<StoredPoint> candidates = new ArrayList<>(rivals);
    candidates.add(point);
    if (options.keep().winner(candidates) < rivals.size()) {
      return Fit.IS_THERE;
    }
    rivals.forEach(rival -> rival.part().drop(rival));
    return Fit.COMES;
  }

  /**
   * Whether all points will be in the row; if not, the row has other values at some of their
   * timestamps.
   */
  boolean isComplete() {
    return complete;
  }

  /** The cells that are rewritten or removed. */
  List<Integer> changed() {
    return parts.stream()
        .filter(part -> part.fate == RowPart.Fate.REWRITTEN)
        .map(part -> part.index)
        .toList();
  }

  /** The cells to put. */
  List<Cell> coming() {
    List<Cell> coming = new ArrayList<>();
    placed.values().forEach(point -> coming.add(cell(point)));
    for (RowPart part : parts) {
      Cell rewritten = part.replacement(false);
      if (rewritten != null) {
        coming.add(rewritten);
      }
    }
    return coming;
  }

  /** Whether a new cell would replace a cell that stays. */
  boolean overwrites() {
    List<Integer> changed = changed();
    Set<Bytes> qualifiers = new HashSet<>();
    for (Cell cell : coming()) {
      int present = target.indexOf(cell.qualifier());
      if (!qualifiers.add(new Bytes(cell.qualifier()))
          || (present >= 0 && !changed.contains(present))) {
        return true;
      }
    }
    return false;
  }

  private static Cell cell(StoredPoint point) {
    RowPoints one = StoredPoint.toRowPoints(List.of(point));
    CompactedCell single = CompactedCell.of(one, 0, 1);
    return new Cell(single.qualifier(), single.value(), point.writeTime());
  }
}
