package org.hourstone.rewrite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.EventQualifier;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Row;

/**
 * Plans the replacement that removes a row's points in a time range: a cell that also holds other
 * points is replaced by a cell with those points and the same write time. All other cells stay.
 */
final class RowTrim {
  /**
   * The maximum number of cells that one replacement observes: a server compares them while other
   * writers wait.
   */
  static final int MOST_CELLS = 4096;

  private final Row row;
  private final SelectedData selected;
  private final Keep keep;
  private final TreeSet<Integer> observed = new TreeSet<>();
  private final Map<Bytes, Cell> replacement = new LinkedHashMap<>();
  private final Set<Long> timestamps = new HashSet<>();
  private int corrupt;

  private RowTrim(Row row, SelectedData selected, Keep keep) {
    this.row = row;
    this.selected = selected;
    this.keep = keep;
  }

  /**
   * @param baseMillis the row's base time
   * @param keep which of different values of one timestamp stays if the rests of two cells are
   *     merged
   */
  static RowTrim of(Row row, long baseMillis, SelectedData selected, Keep keep) {
    RowTrim trim = new RowTrim(row, selected, keep);
    for (int i = 0; i < row.size(); i++) {
      if (selected.histograms()) {
        trim.takeHistogram(i, baseMillis);
      } else {
        trim.takePoints(i, baseMillis);
      }
    }
    trim.makeRoom();
    return trim;
  }

  private void takeHistogram(int i, long baseMillis) {
    byte[] qualifier = row.qualifier(i);
    if (CellKind.of(qualifier) == CellKind.HISTOGRAM) {
      long millis = baseMillis + EventQualifier.offsetMillis(qualifier);
      if (selected.contains(millis) && !isFull()) {
        timestamps.add(millis);
        observed.add(i);
      }
    }
  }

  private void takePoints(int i, long baseMillis) {
    RowPart part = new RowPart(row, i);
    if (!part.cell.holdsPoints()) {
      return;
    }
    if (part.cell.isCorrupt()) {
      corrupt++; // anything after the corrupt part would be lost
      return;
    }
    if (isFull()) {
      return;
    }
    part.takePoints();
    for (StoredPoint point : part.points) {
      if (selected.contains(baseMillis + point.offset())) {
        timestamps.add(baseMillis + point.offset());
        part.drop(point);
      }
    }
    if (part.fate == RowPart.Fate.REWRITTEN) {
      observed.add(i);
      Cell rest = part.replacement(false);
      if (rest != null) {
        replacement.merge(new Bytes(rest.qualifier()), rest, this::merged);
      }
    }
  }

  /**
   * Merges a cell that a replacement would overwrite with the replacement. This may change the
   * qualifier if the cell's qualifier had a wrong length.
   */
  private void makeRoom() {
    Deque<Cell> rests = new ArrayDeque<>(replacement.values());
    replacement.clear();
    for (Cell rest = rests.poll(); rest != null; rest = rests.poll()) {
      Bytes qualifier = new Bytes(rest.qualifier());
      Cell other = replacement.remove(qualifier);
      int at = row.indexOf(rest.qualifier());
      if (other != null) {
        rests.add(merged(other, rest));
      } else if (at >= 0 && observed.add(at)) {
        rests.add(merged(sound(at), rest));
      } else {
        replacement.put(qualifier, rest);
      }
    }
  }

  private Cell sound(int at) {
    if (new RowPart(row, at).cell.isCorrupt()) {
      throw new CorruptDataException(
          "row "
              + HexFormat.of().formatHex(row.key())
              + " has a corrupt cell "
              + HexFormat.of().formatHex(row.qualifier(at))
              + " in the place of the rest of another cell: see fsck");
    }
    return row.cell(at);
  }

  /**
   * Two cells with the same qualifier, and so the same timestamps, merged by the rules of readers.
   */
  private Cell merged(Cell one, Cell other) {
    List<StoredPoint> first = RowPart.of(one).points;
    List<StoredPoint> second = RowPart.of(other).points;
    List<StoredPoint> taken = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      List<StoredPoint> both = List.of(first.get(i), second.get(i));
      taken.add(both.get(keep.winner(both)));
    }
    CompactedCell cell = CompactedCell.of(StoredPoint.toRowPoints(taken), 0, taken.size());
    return new Cell(cell.qualifier(), cell.value(), Math.max(one.writeTime(), other.writeTime()));
  }

  /** Whether there is nothing to do. */
  boolean isEmpty() {
    return observed.isEmpty();
  }

  /**
   * Whether the row may have more cells with points in the range than one replacement can contain.
   */
  boolean isFull() {
    return observed.size() >= MOST_CELLS;
  }

  /** The cells that are removed or replaced. */
  Row observed() {
    return row.only(observed);
  }

  List<Cell> replacement() {
    return List.copyOf(replacement.values());
  }

  /** The timestamps whose points are deleted, in milliseconds since the epoch. */
  Set<Long> timestamps() {
    return timestamps;
  }

  /**
   * @throws CorruptDataException if a cell can't be parsed, so that its points would stay
   */
  void checkSound() {
    if (corrupt > 0) {
      throw new CorruptDataException(
          "row "
              + HexFormat.of().formatHex(row.key())
              + " has corrupt cells, whose points can't be deleted: see fsck");
    }
  }
}
