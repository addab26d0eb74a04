package org.hourstone.tool;

import java.util.ArrayList;
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
import org.hourstone.tool.FsckOptions.Keep;
import org.hourstone.tool.PointDeletion.Selected;

/**
 * What is to be done so that a row has no points of a span of time: cells that hold others, too,
 * are rewritten with the write time they have. All else stays.
 */
final class RowTrim {
  private final Row row;
  private final Selected selected;
  private final Keep keep;
  private final TreeSet<Integer> going = new TreeSet<>();
  private final Map<Bytes, Cell> coming = new LinkedHashMap<>();
  private final Set<Long> instants = new HashSet<>();
  private int damaged;

  private RowTrim(Row row, Selected selected, Keep keep) {
    this.row = row;
    this.selected = selected;
    this.keep = keep;
  }

  /**
   * @param baseMillis of the row
   * @param keep which of different values of one instant stays, if what is left of two cells has to
   *     go into one
   */
  static RowTrim of(Row row, long baseMillis, Selected selected, Keep keep) {
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
      if (selected.contains(millis)) {
        instants.add(millis);
        going.add(i);
      }
    }
  }

  private void takePoints(int i, long baseMillis) {
    RowPart part = new RowPart(row, i);
    if (!part.cell.holdsPoints()) {
      return;
    }
    if (part.cell.isDamaged()) {
      damaged++; // what is behind the damage would be lost
      return;
    }
    part.takePoints();
    for (StoredPoint point : part.points) {
      if (selected.contains(baseMillis + point.offset())) {
        instants.add(baseMillis + point.offset());
        part.drop(point);
      }
    }
    if (part.fate == RowPart.Fate.REWRITTEN) {
      going.add(i);
      Cell rest = part.replacement(false);
      if (rest != null) {
        coming.merge(new Bytes(rest.qualifier()), rest, this::merged);
      }
    }
  }

  /** A cell that would be overwritten goes into the one that comes in its place. */
  private void makeRoom() {
    for (Map.Entry<Bytes, Cell> entry : coming.entrySet()) {
      int at = row.indexOf(entry.getKey().array());
      if (at >= 0 && !going.contains(at)) {
        Cell present = new Cell(row.qualifier(at), row.value(at), row.writeTime(at));
        entry.setValue(merged(present, entry.getValue()));
        going.add(at);
      }
    }
  }

  /** Of two cells of one qualifier, and so of the same instants, what readers take. */
  private Cell merged(Cell one, Cell other) {
    List<StoredPoint> first = ReadableCells.part(one).points;
    List<StoredPoint> second = ReadableCells.part(other).points;
    List<StoredPoint> taken = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      List<StoredPoint> both = List.of(first.get(i), second.get(i));
      taken.add(both.get(Winner.of(both, keep)));
    }
    CompactedCell cell = CompactedCell.of(StoredPoint.toRowPoints(taken), 0, taken.size());
    return new Cell(cell.qualifier(), cell.value(), Math.max(one.writeTime(), other.writeTime()));
  }

  /** Whether there is nothing to do. */
  boolean isEmpty() {
    return going.isEmpty();
  }

  /** The cells that go, some of them for others that come in their places. */
  List<Integer> going() {
    return List.copyOf(going);
  }

  List<Cell> coming() {
    return List.copyOf(coming.values());
  }

  /** Those of them that come where there was none. */
  List<Cell> fresh() {
    return coming.values().stream().filter(cell -> row.indexOf(cell.qualifier()) < 0).toList();
  }

  /** The instants whose points go, in milliseconds since the epoch. */
  Set<Long> instants() {
    return instants;
  }

  /**
   * @throws CorruptDataException if a cell can't be understood, so that its points stay
   */
  void checkSound() {
    if (damaged > 0) {
      throw new CorruptDataException(
          "row "
              + HexFormat.of().formatHex(row.key())
              + " has damaged cells, whose points can't be deleted: see fsck");
    }
  }
}
