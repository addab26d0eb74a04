package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Bytes;
import org.hourstone.series.Aggregation;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;

/** Series that are combined into one. For one thread. */
public final class SeriesGroup {
  private final Aggregation aggregation;
  private final List<SeriesState> members = new ArrayList<>(1);

  /** Those that have points that time alone makes final, or may have. */
  private final Set<SeriesState> unsettled = Collections.newSetFromMap(new IdentityHashMap<>(1));

  private boolean atRest = true;
  private final PointColumn points;
  private final HistogramSums histograms;
  private final MemoryLease memory;

  /**
   * @param memory of the group, its series and the steps of these
   */
  public SeriesGroup(Aggregation aggregation, MemoryLease memory) {
    this.aggregation = aggregation;
    this.points = new PointColumn(memory);
    this.histograms = new HistogramSums(memory);
    this.memory = memory;
  }

  public SeriesState add(byte[] order, byte[] tsuid, byte[] salt, List<ColumnStep> steps) {
    SeriesState series =
        new SeriesState(
            order, tsuid, salt, steps, aggregation.add(order), histograms, this, memory);
    members.add(series);
    return series;
  }

  /**
   * Takes the next points of one of the series out of a chunk.
   *
   * @return whether the group has to be {@linkplain #advance advanced} from now on
   */
  public boolean accept(SeriesState series, SeriesChunk chunk) {
    series.accept(chunk);
    unsettled.add(series);
    boolean begins = atRest;
    atRest = false;
    return begins;
  }

  /**
   * Combines the points that no later point can change.
   *
   * @param readMillis all points before this timestamp have been read
   * @param decidedMillis no series gets another point before this timestamp
   * @return whether there is more to do before further points are accepted
   */
  public boolean advance(long readMillis, long decidedMillis) {
    unsettled.removeIf(series -> !series.settle(readMillis));
    aggregation.advance(decidedMillis, points);
    atRest = unsettled.isEmpty() && !aggregation.isWaiting();
    return !atRest;
  }

  /**
   * There are no more points.
   *
   * @return whether a series has points in the hours of the query; the others were only read for
   *     interpolation
   */
  public boolean finish() {
    members.forEach(SeriesState::finish);
    aggregation.finish(points);
    members.removeIf(series -> !series.places().reachOwnHours());
    return members.stream().anyMatch(series -> series.places().areInOwnHours());
  }

  /** The series, in the order in which their values were taken. */
  public List<SeriesState> members() {
    if (members.size() == 1) {
      return List.copyOf(members);
    }
    return members.stream().sorted(Comparator.comparing(one -> new Bytes(one.order()))).toList();
  }

  /** The combined points. */
  public PointColumn points() {
    return points;
  }

  /** In place of points, their histograms, added. */
  public HistogramSums histograms() {
    return histograms;
  }

  public MemoryLease memory() {
    return memory;
  }
}
