package org.hourstone.retention;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.jspecify.annotations.Nullable;

/** The tables from which rows are deleted, those of points first: others may wait for them. */
final class ExpiringTables {
  private ExpiringTables() {}

  /**
   * @param points the data table's family
   * @param rollups how values are rolled up; null if they are not
   * @param intervals those of rolled-up values
   */
  static List<Expiry.Table> of(
      Family points,
      @Nullable RollupConfig rollups,
      List<RollupInterval> intervals,
      ExpiringPoints expiring) {
    List<Expiry.Table> tables = new ArrayList<>();
    tables.add(Expiry.Table.ofPoints(points));
    if (rollups != null
        && !rollups.defaultInterval().preAggregationTable().equals(points.table())) {
      tables.add(
          Expiry.Table.ofPoints(
              new Family(rollups.defaultInterval().preAggregationTable(), points.name())));
    }
    for (RollupInterval interval : intervals) {
      for (String table :
          new LinkedHashSet<>(List.of(interval.table(), interval.preAggregationTable()))) {
        Family family = new Family(table, points.name());
        List<String> replaces = replaced(interval, family, points, intervals, expiring);
        tables.add(new Expiry.Table(family, interval.name(), replaces, interval.rowSpan()));
      }
    }
    return tables;
  }

  /**
   * A query reads the longest interval that is computed, and nothing else in its place: where its
   * values had expired, points and values of shorter intervals that are kept would be missing.
   */
  private static List<String> replaced(
      RollupInterval interval,
      Family family,
      Family points,
      List<RollupInterval> intervals,
      ExpiringPoints expiring) {
    List<String> replaced = new ArrayList<>();
    if (expiring.isComputed(family)) {
      replaced.add(RetentionRule.RAW);
      for (RollupInterval other : intervals) {
        if (other.seconds() < interval.seconds()
            && expiring.isComputed(new Family(other.table(), points.name()))) {
          replaced.add(other.name());
        }
      }
    }
    return replaced;
  }
}
