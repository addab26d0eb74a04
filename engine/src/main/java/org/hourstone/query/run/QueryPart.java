package org.hourstone.query.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.query.QueryContext;
import org.hourstone.query.plan.AccessPath;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.rows.ScanRange;

/**
 * The part of one query in reading rows, possibly for other queries, too. Thread-safe.
 *
 * @param plan of the query
 * @param use counts the amounts of the query, and has its memory
 * @param takes tests the key of a row that belongs to a series of the metric
 */
record QueryPart(Plan plan, QueryContext use, Predicate<byte[]> takes) {
  /**
   * The rows that the query would read by itself.
   *
   * @param rows the plan with which rows are read, which {@linkplain Plan#covers covers} the
   *     query's
   */
  static QueryPart of(Plan plan, QueryContext use, Plan rows) {
    if (plan.covers(rows)) {
      return new QueryPart(plan, use, row -> true);
    }
    Predicate<byte[]> ofSeries = ofSeries(plan);
    ScanRange hours = plan.range();
    RowKey keys = plan.keys();
    return new QueryPart(
        plan, use, row -> hours.contains(keys.baseTime(row)) && ofSeries.test(row));
  }

  private static Predicate<byte[]> ofSeries(Plan plan) {
    if (plan.path() instanceof AccessPath.Picked picked) {
      RowKey keys = plan.keys();
      return row ->
          Collections.binarySearch(picked.tsuids(), keys.tsuid(row), Arrays::compareUnsigned) >= 0;
    }
    return plan.series().rowFilter()::matches;
  }
}
