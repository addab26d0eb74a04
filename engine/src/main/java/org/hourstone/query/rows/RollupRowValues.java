package org.hourstone.query.rows;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupPoints;
import org.hourstone.rollup.RollupRowDecoder;
import org.hourstone.series.PointColumn;

/**
 * The rolled-up values in rows of one interval: those of one aggregation, or pairs of those of two,
 * of the intervals that have both.
 */
public final class RollupRowValues implements RowValues {
  private final RollupInterval interval;
  private final List<RollupRowDecoder> decoders;
  private final List<RollupPoints> values;

  /** Those of the current row. */
  private final PointColumn points = new PointColumn();

  private final CorruptionPolicy corruption;

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
    this.decoders =
        aggregators.stream().map(name -> new RollupRowDecoder(config, name, duplicates)).toList();
    this.values = aggregators.stream().map(name -> new RollupPoints()).toList();
    this.corruption = corruption;
  }

  @Override
  public int decode(List<Row> rows, long baseMillis, List<SeriesChunk> into) {
    decoders.forEach(RollupRowDecoder::start);
    rows.forEach(this::gather);
    try {
      for (int i = 0; i < decoders.size(); i++) {
        decoders.get(i).finish(values.get(i));
      }
    } catch (CorruptDataException e) {
      throw corruption.failure(rows.get(0).key(), e);
    }
    points.clear();
    long stopMillis = interval.rowSpan().next(baseMillis / 1000) * 1000;
    if (values.size() == 1) {
      addAll(values.get(0), baseMillis, stopMillis, points);
    } else {
      addPairs(values.get(0), values.get(1), baseMillis, stopMillis, points);
    }
    into.forEach(chunk -> chunk.addAll(points));
    return points.size() / values.size();
  }

  private void gather(Row row) {
    for (int i = 0; i < row.size(); i++) {
      try {
        for (RollupRowDecoder decoder : decoders) {
          decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        }
      } catch (CorruptDataException e) {
        corruption.cell(row.key(), row.qualifier(i), e);
      }
    }
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
