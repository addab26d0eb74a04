package org.hourstone.codec.coded;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/**
 * Rolled-up values of a row with one value of each aggregation for each interval, all of which were
 * written at the same time.
 *
 * @param ids of the aggregations, ascending
 * @param columns of each, in the same order: values whose offsets are the indexes of the intervals,
 *     as seconds
 * @param ages of the intervals
 */
record Grid(int[] ids, List<RowPoints> columns, long[] ages) {
  private static final int MILLIS = 1000;

  /**
   * The grid that cells are.
   *
   * @param cells ascending by qualifier
   * @return null if they are none, or bytes would be lost
   */
  static @Nullable Grid of(List<PlainCell> cells) {
    for (PlainCell cell : cells) {
      if (!isNumber(cell)) {
        return null;
      }
    }
    int count = ofFirstId(cells);
    int ids = cells.size() / count;
    if (ids * count != cells.size()) {
      return null;
    }
    Grid grid = new Grid(new int[ids], new ArrayList<>(ids), new long[count]);
    for (int i = 0; i < ids; i++) {
      RowPoints column = grid.column(i, cells.subList(i * count, (i + 1) * count));
      if (column == null) {
        return null;
      }
      grid.columns.add(column);
    }
    return grid;
  }

  /** Whether a cell has a qualifier of the usual form, and the length that this says. */
  private static boolean isNumber(PlainCell cell) {
    if (!CodedRollups.codes(cell.qualifier())) {
      return false;
    }
    int flags = RollupQualifier.flags(cell.qualifier());
    return Value.isLegalLength(flags) && cell.value().length == Qualifier.valueLength(flags);
  }

  /** How many of the first cells are of the same aggregation; at least one. */
  private static int ofFirstId(List<PlainCell> cells) {
    int id = cells.get(0).qualifier()[0];
    int count = 1;
    while (count < cells.size() && cells.get(count).qualifier()[0] == id) {
      count++;
    }
    return count;
  }

  /** A column of these cells; null if they are none. Most have few cells: no room is left over. */
  private @Nullable RowPoints column(int i, List<PlainCell> cells) {
    ids[i] = cells.get(0).qualifier()[0];
    if (i > 0 && ids[i - 1] == ids[i]) {
      return null;
    }
    int[] offsets = new int[cells.size()];
    byte[] flags = new byte[cells.size()];
    long[] raws = new long[cells.size()];
    for (int j = 0; j < cells.size(); j++) {
      PlainCell cell = cells.get(j);
      byte[] qualifier = cell.qualifier();
      offsets[j] = RollupQualifier.index(qualifier) * MILLIS;
      flags[j] = (byte) RollupQualifier.flags(qualifier);
      raws[j] = Value.decode(flags[j], cell.value(), 0);
      if (i == 0) {
        ages[j] = cell.age();
      }
      if (qualifier[0] != ids[i]
          || ages[j] != cell.age()
          || (j > 0 && offsets[j - 1] >= offsets[j])
          || (i > 0 && offsets[j] != columns.get(0).offset(j))) {
        return null;
      }
    }
    RowPoints column = new RowPoints();
    column.addAll(offsets, flags, raws);
    return column;
  }

  /** Whether all were written at the same time. */
  boolean isOfOneTime() {
    for (long age : ages) {
      if (age != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many intervals there are, at least one. */
  int count() {
    return columns.get(0).size();
  }

  /** The index of an interval in the row. */
  int index(int i) {
    return columns.get(0).offset(i) / MILLIS;
  }
}
