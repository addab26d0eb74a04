package org.hourstone.head;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.DataCell;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Keeps the newest of repeated points readable where points are appended: all points of an append
 * cell count as written when the last of them was, so an append must not follow a newer cell of the
 * row. Before the first append to a row, an append cell that is older than another cell of points
 * becomes a multi-point cell with its own write time: every point is read as before, and the append
 * begins a new cell. Requires that no other database writes to these rows as long as this one
 * appends, and that changes of a row have ascending write times. For one thread.
 */
final class AppendOrder {
  /** How often a row is read again if it is rewritten at the same time. */
  private static final int ATTEMPTS = 100;

  private final KeyValueStore store;
  private final int maxCellBytes;
  private final Backoff backoff;

  /** Rows in which this thread has appended last, of all that write cells of points. */
  private final Map<Bytes, Boolean> ordered;

  /**
   * @param rows how many rows are remembered at most; the others are read again
   */
  AppendOrder(KeyValueStore store, int maxCellBytes, int rows, Backoff backoff) {
    this.store = store;
    this.maxCellBytes = maxCellBytes;
    this.backoff = backoff;
    this.ordered =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Bytes, Boolean> eldest) {
            return size() > rows;
          }
        };
  }

  /** Another cell of points was written to a row. */
  void forget(byte[] key) {
    ordered.remove(new Bytes(key));
  }

  /**
   * Called before points are appended to rows.
   *
   * @throws StoreException if they can't be appended now; never UNKNOWN: no point has changed
   */
  void beforeAppends(Family family, List<byte[]> keys) {
    List<byte[]> unknown = new ArrayList<>();
    for (byte[] key : keys) {
      if (ordered.get(new Bytes(key)) == null) {
        unknown.add(key);
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    try {
      for (Row row : store.get(family, unknown, Columns.all())) {
        closeCell(family, row);
        ordered.put(new Bytes(row.key()), true);
      }
    } catch (StoreException e) {
      Outcome outcome = e.outcome() == Outcome.REJECTED ? e.outcome() : Outcome.NOT_APPLIED;
      throw new StoreException(outcome, String.valueOf(e.getMessage()), e);
    }
  }

  private void closeCell(Family family, Row read) {
    Row row = read;
    for (int i = 1; !isOrdered(row); i++) {
      if (replace(family, row)) {
        return;
      }
      if (i == ATTEMPTS) {
        throw new StoreException(Outcome.NOT_APPLIED, "row " + row + " keeps changing");
      }
      backoff.pause(1);
      row = store.get(family, row.key(), Columns.all());
    }
  }

  /** Whether a further append makes no point newer than another that is newer now. */
  private static boolean isOrdered(Row row) {
    long appended = Long.MAX_VALUE;
    long others = Long.MIN_VALUE;
    for (int i = 0; i < row.size(); i++) {
      CellKind kind = CellKind.of(row.qualifier(i));
      if (kind == CellKind.APPEND) {
        appended = row.writeTime(i);
        if (DataCell.of(row.qualifier(i), row.value(i)).isCorrupt()) {
          return true; // that is for fsck; the row is not read in either form
        }
      } else if (kind.holdsPoints()) {
        others = Math.max(others, row.writeTime(i));
      }
    }
    return others <= appended;
  }

  private boolean replace(Family family, Row row) {
    Map<Bytes, Cell> present = new HashMap<>();
    for (int i = 0; i < row.size(); i++) {
      present.put(new Bytes(row.qualifier(i)), row.cell(i));
    }
    Cell appended = requireNonNull(present.get(new Bytes(AppendCell.qualifier())), "appended");
    Map<Bytes, Cell> observed = new TreeMap<>();
    observed.put(new Bytes(appended.qualifier()), appended);
    List<Cell> replacement = new ArrayList<>();
    DataCell points = DataCell.of(appended.qualifier(), appended.value());
    if (points.points().size() > 0) {
      for (CompactedCell cell : CompactedCell.of(points.pointsInOrder(), maxCellBytes)) {
        // A cell with this qualifier has points of the same timestamps: the newer one counts.
        Bytes qualifier = new Bytes(cell.qualifier());
        Cell same = present.get(qualifier);
        if (same != null) {
          observed.put(qualifier, same);
        }
        replacement.add(
            same != null && same.writeTime() > appended.writeTime()
                ? same
                : new Cell(cell.qualifier(), cell.value(), appended.writeTime()));
      }
    }
    List<Cell> cells = List.copyOf(observed.values());
    Row part =
        Row.of(
            row.key(),
            cells.stream().map(Cell::qualifier).toArray(byte[][]::new),
            cells.stream().map(Cell::value).toArray(byte[][]::new),
            cells.stream().mapToLong(Cell::writeTime).toArray());
    return store.replaceCells(family, part, replacement);
  }
}
