package org.hourstone.codec.coded;

import java.util.ArrayList;
import java.util.Arrays;
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
    List<RowPoints> columns = new ArrayList<>();
    List<Integer> ids = new ArrayList<>();
    long[] ages = new long[cells.size()];
    for (PlainCell cell : cells) {
      byte[] qualifier = cell.qualifier();
      if (!CodedRollups.codes(qualifier)) {
        return null;
      }
      int flags = RollupQualifier.flags(qualifier);
      if (!Value.isLegalLength(flags) || cell.value().length != Qualifier.valueLength(flags)) {
        return null;
      }
      if (ids.isEmpty() || ids.get(ids.size() - 1) != qualifier[0]) {
        ids.add((int) qualifier[0]);
        columns.add(new RowPoints());
      }
      RowPoints column = columns.get(columns.size() - 1);
      if (columns.size() == 1) {
        ages[column.size()] = cell.age();
      } else if (column.size() >= columns.get(0).size() || ages[column.size()] != cell.age()) {
        return null;
      }
      int offset = RollupQualifier.index(qualifier) * MILLIS;
      column.add(offset, false, flags, Value.decode(flags, cell.value(), 0));
    }
    Grid grid =
        new Grid(
            ids.stream().mapToInt(Integer::intValue).toArray(),
            columns,
            Arrays.copyOf(ages, columns.get(0).size()));
    return grid.isWhole() ? grid : null;
  }

  private boolean isWhole() {
    RowPoints first = columns.get(0);
    for (RowPoints column : columns) {
      if (column.size() != first.size()) {
        return false;
      }
      for (int i = 0; i < column.size(); i++) {
        boolean ascends = i == 0 || column.offset(i - 1) < column.offset(i);
        if (!ascends || column.offset(i) != first.offset(i)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether all were written at the same time. */
  boolean isOfOneTime() {
    return Arrays.stream(ages).allMatch(age -> age == 0);
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
