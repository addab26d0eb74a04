package org.hourstone.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hourstone.kv.Bytes;
import org.hourstone.series.Aggregation;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;

/** Series that are combined into one. For one thread. */
final class SeriesGroup {
  private final Aggregation aggregation;
  private final List<SeriesState> members = new ArrayList<>(1);
  private final PointColumn points;
  private final HistogramSums histograms;
  private final MemoryLease memory;

  /**
   * @param memory of the group, its series and the steps of these
   */
  SeriesGroup(Aggregation aggregation, MemoryLease memory) {
    this.aggregation = aggregation;
    this.points = new PointColumn(memory);
    this.histograms = new HistogramSums(memory);
    this.memory = memory;
  }

  SeriesState add(byte[] order, byte[] tsuid, byte[] salt, List<ColumnStep> steps) {
    SeriesState series =
        new SeriesState(order, tsuid, salt, steps, aggregation.add(order), histograms, memory);
    members.add(series);
    return series;
  }

  /**
   * Combines the points that no later point can change.
   *
   * @param readMillis all points before this timestamp have been read
   * @param decidedMillis no series gets another point before this timestamp
   */
  void advance(long readMillis, long decidedMillis) {
    members.forEach(member -> member.settle(readMillis));
    aggregation.advance(decidedMillis, points);
  }

  void finish() {
    members.forEach(SeriesState::finish);
    aggregation.finish(points);
  }

  /** The series, in the order in which their values were taken. */
  List<SeriesState> members() {
    return members.stream().sorted(Comparator.comparing(one -> new Bytes(one.order()))).toList();
  }

  /** The combined points. */
  PointColumn points() {
    return points;
  }

  /** In place of points, their histograms, added. */
  HistogramSums histograms() {
    return histograms;
  }

  MemoryLease memory() {
    return memory;
  }
}
