package org.hourstone.write;

import java.util.List;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Puts cells with the write times of what they are made of, and sees whether they can be read. On a
 * store without ORDERED_DELETES, which is HBase, the deletion of a cell hides whatever is dated no
 * later than it, also what is put afterwards. So nothing must be removed in favour of a cell with a
 * time of the past before that can be read. Thread-safe.
 */
public final class DatedCells {
  private final KeyValueStore store;
  private final Family family;
  private final CellEditor cells;
  private final boolean mayHide;

  public DatedCells(KeyValueStore store, Family family) {
    this.store = store;
    this.family = family;
    this.cells = new CellEditor(store, Backoff.exponential());
    this.mayHide = false;
  }

  /** Whether the store is one on which deletions hide what is put after them. */
  public boolean mayHide() {
    return mayHide;
  }

  /**
   * Puts cells, where there are no later ones.
   *
   * @return those of them in whose places nothing can be read
   */
  public List<Cell> put(byte[] row, List<Cell> dated) {
    if (dated.isEmpty()) {
      return List.of();
    }
    store.replaceCells(family, Row.empty(row), dated);
    return hidden(row, dated);
  }

  /** Those of the cells in whose places nothing can be read. */
  public List<Cell> hidden(byte[] row, List<Cell> dated) {
    Row present =
        store.get(
            family,
            row,
            Columns.exactly(dated.stream().map(Cell::qualifier).toArray(byte[][]::new)));
    return dated.stream().filter(cell -> present.indexOf(cell.qualifier()) < 0).toList();
  }

  /**
   * Puts a hidden cell with the store's time, unless there is one meanwhile.
   *
   * @return whether it can be read now; else there is another, or a deletion is dated in the future
   */
  public boolean putNow(byte[] row, Cell cell) {
    try {
      if (cell.value().length > 0) {
        return cells.change(family, row, cell.qualifier(), null, cell.value());
      }
      // Compare-and-set knows no empty values.
      store.mutate(
          family, List.of(new RowMutation(row, new Change.Put(cell.qualifier(), cell.value()))));
      return hidden(row, List.of(cell)).isEmpty();
    } catch (StoreException e) {
      if (e.outcome() == Outcome.NOT_APPLIED && hidden(row, List.of(cell)).size() == 1) {
        return false;
      }
      throw e;
    }
  }
}
