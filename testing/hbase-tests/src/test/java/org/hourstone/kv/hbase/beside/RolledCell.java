package org.hourstone.kv.hbase.beside;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.rollup.RollupInterval;

/**
 * A rolled-up value.
 *
 * @param id of its aggregation, in the order of {@link #AGGREGATIONS}
 * @param value as JSON has it, with a point if it is a decimal
 */
record RolledCell(int id, long time, String value) {
  static final List<String> AGGREGATIONS = List.of("sum", "count", "min", "max");

  private static final long DAY = 86_400;

  /** Every ten minutes the points of {@link #ofDay} have the number of the point. */
  static final long SECONDS_OF_A_POINT = 600;

  static RolledCell of(String interval, long base, byte[] qualifier, byte[] value) {
    int flags = RollupQualifier.flags(qualifier);
    long raw = Value.decode(flags, value, 0);
    boolean isFloat = Qualifier.isFloat(flags);
    return new RolledCell(
        qualifier[0],
        base + RollupQualifier.index(qualifier) * RollupInterval.seconds(interval),
        isFloat ? Double.toString(Value.toDouble(flags, raw)) : Long.toString(raw));
  }

  /** The values of the intervals of a day: those of the points, more by some number. */
  static List<RolledCell> ofDay(long from, String interval, long more) {
    List<RolledCell> cells = new ArrayList<>();
    long seconds = RollupInterval.seconds(interval);
    long count = seconds / SECONDS_OF_A_POINT;
    for (int i = 0; i < DAY / seconds; i++) {
      long first = i * count;
      long last = first + count - 1;
      List<Long> values = List.of(count * (first + last) / 2, count, first, last);
      for (int id = 0; id < AGGREGATIONS.size(); id++) {
        cells.add(new RolledCell(id, from + i * seconds, String.valueOf(values.get(id) + more)));
      }
    }
    return cells;
  }

  /** What {@code /api/rollup} takes, for host a. */
  String json(String interval, String metric) {
    return ("{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"host\":\"a\"},"
            + "\"interval\":\"%s\",\"aggregator\":\"%s\"}")
        .formatted(metric, time, value, interval, AGGREGATIONS.get(id));
  }
}
