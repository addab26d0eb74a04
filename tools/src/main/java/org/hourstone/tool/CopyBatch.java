package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.StoreException;
import org.hourstone.table.TableRange;
import org.hourstone.tool.CopyFamily.Holds;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a range, as many as are allowed in memory.
 *
 * @param rows the rows to copy
 * @param lastKey the key of the last row read, even if it is not copied; null if there was none
 * @param failure the reason why reading ended early; null if there was no failure
 */
record CopyBatch(List<Row> rows, byte @Nullable [] lastKey, @Nullable StoreException failure) {
  private static final int ROWS = 1000;

  /**
   * @param since the write time of the first cells to copy
   */
  static CopyBatch read(
      RowCursor cursor,
      TableRange range,
      CopyFamily family,
      CopyScope scope,
      RowKey keys,
      long since) {
    List<Row> rows = new ArrayList<>();
    byte[] lastKey = null;
    long bytes = 0;
    try {
      while (rows.size() < ROWS && bytes < RowPuts.BATCH_BYTES) {
        Row row = cursor.next();
        if (row == null) {
          break;
        }
        lastKey = row.key();
        bytes += RowPuts.CELL_OVERHEAD;
        if (CopyPlan.passes(range, scope, keys, row.key())) {
          boolean counters = family.holds() == Holds.UIDS && UidLayout.isCounterRow(row.key());
          Row copied =
              since == 0 && !counters
                  ? row
                  : only(
                      row,
                      i ->
                          row.writeTime(i) >= since
                              && !(counters && UidLayout.kindOf(row.qualifier(i)) != null));
          bytes += bytes(copied);
          if (!copied.isEmpty()) {
            rows.add(copied);
          }
        }
      }
    } catch (StoreException e) {
      return new CopyBatch(rows, lastKey, e);
    }
    return new CopyBatch(rows, lastKey, null);
  }

  private static long bytes(Row row) {
    long bytes = 0;
    for (int i = 0; i < row.size(); i++) {
      bytes +=
          RowPuts.CELL_OVERHEAD + row.key().length + row.qualifier(i).length + row.value(i).length;
    }
    return bytes;
  }

  private static Row only(Row row, IntPredicate kept) {
    List<Integer> cells = IntStream.range(0, row.size()).filter(kept).boxed().toList();
    return cells.size() == row.size() ? row : row.only(cells);
  }
}
