package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.hourstone.Tables;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;
import org.hourstone.query.RowSelection;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.tool.CopyScope.Selected;
import org.jspecify.annotations.Nullable;

/** The cells of a database that are copied to another. */
final class CopiedCells {
  private CopiedCells() {}

  /**
   * The corresponding families of two databases.
   *
   * @param rollups of both databases
   * @param computed the tables whose values each of them computes itself
   */
  static List<CopyFamily> families(
      Tables from, Tables to, @Nullable RollupConfig rollups, Set<String> computed) {
    List<CopyFamily> families = new ArrayList<>();
    families.add(new CopyFamily(from.uidNames(), to.uidNames(), Holds.NAMES));
    families.add(new CopyFamily(from.uidIds(), to.uidIds(), Holds.UIDS));
    families.add(new CopyFamily(from.seriesMeta(), to.seriesMeta(), Holds.SERIES));
    families.add(new CopyFamily(from.trees(), to.trees(), Holds.TREES));
    families.add(new CopyFamily(from.points(), to.points(), Holds.ROWS));
    if (rollups != null) {
      for (String table : rollups.tables()) {
        if (!table.equals(from.data()) && !computed.contains(table)) {
          Family family = new Family(table, from.points().name());
          families.add(new CopyFamily(family, family, Holds.ROWS, baseTime(rollups, table)));
        }
      }
    }
    return families;
  }

  /** The base time of the first row that contains a timestamp, among all intervals of a table. */
  private static LongUnaryOperator baseTime(RollupConfig rollups, String table) {
    List<RollupInterval> intervals =
        rollups.intervals().stream()
            .filter(
                interval ->
                    table.equals(interval.table()) || table.equals(interval.preAggregationTable()))
            .toList();
    return seconds ->
        intervals.stream().mapToLong(interval -> interval.baseTime(seconds)).min().orElse(seconds);
  }

  /**
   * The rows of a query, up to the hour of its end; a query itself may read one hour more.
   *
   * @param endMillis since the epoch, inclusive
   */
  static List<Selected> selected(RowKey keys, RowSelection rows, long endMillis) {
    long seconds = endMillis / 1000;
    long afterLast = seconds - seconds % Timestamps.ROW_SECONDS + Timestamps.ROW_SECONDS;
    List<Selected> selected = new ArrayList<>();
    for (Scan scan : rows.scans()) {
      Scan hours = scan;
      if (afterLast <= Timestamps.MAX_SECONDS) {
        byte[] stop = scan.start().clone();
        keys.setBaseTime(stop, afterLast);
        hours = Scan.range(scan.start(), stop).filter(scan.filter());
      }
      selected.add(new Selected(hours, rows.passes()));
    }
    return selected;
  }
}
