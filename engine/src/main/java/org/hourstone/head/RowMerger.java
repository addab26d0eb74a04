package org.hourstone.head;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;

/**
 * Adds the cells of an open row to a row that was read.
 *
 * @param points working space: for one thread at a time
 * @param options how the row is stored when it is sealed
 */
record RowMerger(RowPoints points, CellOptions options) {
  /** The row with the cells of the open one that are among the columns. */
  Row merge(Row stored, OpenPoints open, Columns columns) {
    Map<byte[], Cell> cells = new TreeMap<>(Arrays::compareUnsigned);
    long time = open.openedAt();
    for (int i = 0; i < stored.size(); i++) {
      cells.put(stored.qualifier(i), stored.cell(i));
      // As if they were written now, after all that is stored.
      time = Math.max(time, stored.writeTime(i) + 1);
    }
    if (options.form() == CellForm.APPENDED && !options.ordersAppends()) {
      add(append(stored, open, time), columns, cells);
    } else {
      for (CompactedCell cell : open.cells(points, options.maxBytes())) {
        add(new Cell(cell.qualifier(), cell.value(), time), columns, cells);
      }
    }
    return row(open.key(), cells);
  }

  /** The append cell with the open points at its end. */
  private static Cell append(Row stored, OpenPoints open, long time) {
    byte[] before = stored.find(AppendCell.qualifier());
    int start = before == null ? 0 : before.length;
    byte[] value = new byte[start + open.length()];
    if (before != null) {
      System.arraycopy(before, 0, value, 0, start);
    }
    System.arraycopy(open.bytes(), 0, value, start, open.length());
    return new Cell(AppendCell.qualifier(), value, time);
  }

  private static void add(Cell cell, Columns columns, Map<byte[], Cell> cells) {
    if (columns.includes(cell.qualifier())) {
      cells.put(cell.qualifier(), cell);
    }
  }

  private static Row row(byte[] key, Map<byte[], Cell> cells) {
    byte[][] qualifiers = new byte[cells.size()][];
    byte[][] values = new byte[cells.size()][];
    long[] times = new long[cells.size()];
    int i = 0;
    for (Cell cell : cells.values()) {
      qualifiers[i] = cell.qualifier();
      values[i] = cell.value();
      times[i++] = cell.writeTime();
    }
    return Row.of(key, qualifiers, values, times);
  }
}
