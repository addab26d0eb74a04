package org.hourstone.head;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;

/**
 * Adds the cells of an open row to a row that was read.
 *
 * @param points working space: for one thread at a time
 */
record RowMerger(RowPoints points, int maxCellBytes) {
  /** The row with the cells of the open one that are among the columns. */
  Row merge(Row stored, OpenPoints open, Columns columns) {
    Map<byte[], Cell> cells = new TreeMap<>(Arrays::compareUnsigned);
    long time = open.openedAt();
    for (int i = 0; i < stored.size(); i++) {
      cells.put(stored.qualifier(i), stored.cell(i));
      // As if they were written now, after all that is stored.
      time = Math.max(time, stored.writeTime(i) + 1);
    }
    for (CompactedCell cell : open.cells(points, maxCellBytes)) {
      if (columns.includes(cell.qualifier())) {
        cells.put(cell.qualifier(), new Cell(cell.qualifier(), cell.value(), time));
      }
    }
    return row(open.key(), cells);
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
