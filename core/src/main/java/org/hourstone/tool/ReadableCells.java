package org.hourstone.tool;

import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.write.DatedCells;

/**
 * Puts cells with the write times of what they are made of, before that goes. A cell that a
 * deletion hides is put with the time of now, but not where other cells say something else of its
 * instants: it would be the newest. Thread-safe.
 */
final class ReadableCells {
  private final KeyValueStore store;
  private final Family family;
  private final DatedCells dated;

  ReadableCells(KeyValueStore store, Family family, DatedCells dated) {
    this.store = store;
    this.family = family;
    this.dated = dated;
  }

  /**
   * Puts cells so that they can be read; does nothing on a store where no deletion hides them.
   *
   * @param going cells of the row that are to go; what they say doesn't count
   * @return those that can't be read
   */
  List<Cell> put(Row row, List<Integer> going, List<Cell> coming) {
    if (!dated.mayHide()) {
      return List.of();
    }
    return dated.put(row.key(), coming).stream().filter(cell -> !putNow(row, going, cell)).toList();
  }

  private boolean putNow(Row row, List<Integer> going, Cell cell) {
    if (isContradicted(row, going, cell) || !dated.putNow(row.key(), cell)) {
      return false;
    }
    if (!isContradicted(row, going, cell)) {
      return true;
    }
    Row now = store.get(family, row.key(), Columns.all()); // somebody has written just before
    int at = now.indexOf(cell.qualifier());
    if (at >= 0 && Arrays.equals(now.value(at), cell.value())) {
      store.replaceCells(family, RowWriter.only(now, List.of(at)), List.of());
    }
    return false;
  }

  /** Whether other cells have other values of its instants, but those that go. */
  private boolean isContradicted(Row row, List<Integer> going, Cell cell) {
    RowPart own = part(cell);
    Row now = store.get(family, row.key(), Columns.all());
    for (int i = 0; i < now.size(); i++) {
      int before = row.indexOf(now.qualifier(i));
      boolean goes =
          before >= 0
              && going.contains(before)
              && row.writeTime(before) == now.writeTime(i)
              && Arrays.equals(row.value(before), now.value(i));
      if (goes || Arrays.equals(now.qualifier(i), cell.qualifier())) {
        continue;
      }
      RowPart other = new RowPart(now, i);
      other.takePoints();
      if (other.points.stream().anyMatch(own::contradicts)) {
        return true;
      }
    }
    return false;
  }

  /** A cell that is in no row, with its points. */
  static RowPart part(Cell cell) {
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
}
