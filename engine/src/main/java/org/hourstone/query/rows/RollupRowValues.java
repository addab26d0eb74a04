package org.hourstone.query.rows;

import java.util.List;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupPoints;
import org.hourstone.series.PointColumn;

/**
 * The rolled-up values in rows of one interval: those of one aggregation, or pairs of those of two,
 * of the intervals that have both.
 */
public final class RollupRowValues implements RowValues {
  private final RollupInterval interval;
  private final RolledColumns values;

  /** Those of the current row. */
  private final PointColumn points = new PointColumn();

  /**
   * @param aggregators one or two
   */
  public RollupRowValues(
      RollupConfig config,
      RollupInterval interval,
      List<String> aggregators,
      DuplicatePolicy duplicates,
      CorruptionPolicy corruption) {
    this.interval = interval;
    this.values = new RolledColumns(config, aggregators, duplicates, corruption, false);
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, List<SeriesChunk> into) {
    values.decode(rows);
    points.clear();
    long stopMillis = interval.rowSpan().next(baseMillis / 1000) * 1000;
    if (values.count() == 1) {
      addAll(values.of(0), baseMillis, stopMillis, points);
    } else {
      addPairs(values.of(0), values.of(1), baseMillis, stopMillis, points);
    }
    into.forEach(chunk -> chunk.addAll(points));
    return points.size() / values.count();
  }

  private long millis(RollupPoints points, int i, long baseMillis) {
    return baseMillis + points.index(i) * interval.seconds() * 1000;
  }

  /** Intervals that begin after the end of their row, as in a month of 32 days, are dropped. */
  private void addAll(RollupPoints points, long baseMillis, long stopMillis, PointColumn into) {
    for (int i = 0; i < points.size() && millis(points, i, baseMillis) < stopMillis; i++) {
      add(points, i, baseMillis, into);
    }
  }

  private void addPairs(
      RollupPoints first, RollupPoints second, long baseMillis, long stopMillis, PointColumn into) {
    int i = 0;
    int j = 0;
    while (i < first.size() && j < second.size() && millis(first, i, baseMillis) < stopMillis) {
      int order = Integer.compare(first.index(i), second.index(j));
      if (order == 0) {
        add(first, i, baseMillis, into);
        add(second, j, baseMillis, into);
      }
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
  }

  private void add(RollupPoints points, int i, long baseMillis, PointColumn into) {
    if (points.isFloat(i)) {
      into.addDouble(millis(points, i, baseMillis), points.toDouble(i));
    } else {
      into.addLong(millis(points, i, baseMillis), points.raw(i));
    }
  }
}
