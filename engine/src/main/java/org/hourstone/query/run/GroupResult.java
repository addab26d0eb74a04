package org.hourstone.query.run;

import java.util.List;
import java.util.stream.Stream;
import org.hourstone.error.RequestException;
import org.hourstone.query.rows.HistogramSums;
import org.hourstone.query.rows.SeriesGroup;
import org.hourstone.query.rows.SeriesState;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;

/**
 * Series combined into one, within the range of the query.
 *
 * @param members the series, in the order in which their values were combined
 * @param points the combined points
 * @param from the first point of the range
 * @param to the first point after it
 * @param histograms those of the range, in place of points
 * @param memory the leases of the group, closed with the result
 */
record GroupResult(
    List<SeriesState> members,
    PointColumn points,
    int from,
    int to,
    HistogramSums histograms,
    List<MemoryLease> memory)
    implements AutoCloseable {

  /**
   * The part of a group between two timestamps, both inclusive. The group is not used again.
   *
   * @throws RequestException if a result there is infinite
   */
  static GroupResult of(SeriesGroup group, long fromMillis, long toMillis) {
    PointColumn points = group.points();
    long behind = toMillis == Long.MAX_VALUE ? toMillis : toMillis + 1;
    int from = points.firstFrom(fromMillis);
    int to = points.firstFrom(behind);
    requireFinite(points, from, to);
    group.histograms().keep(fromMillis, behind);
    return new GroupResult(
        group.members(), points, from, to, group.histograms(), List.of(group.memory()));
  }

  private static void requireFinite(PointColumn points, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!points.isInteger(i) && Double.isInfinite(points.doubleValue(i))) {
        throw new RequestException(
            "Got Infinity: " + points.doubleValue(i) + " at " + points.millis(i) + " ms");
      }
    }
  }

  /** This group, which is not used again, followed by a group with the same key in a later part. */
  GroupResult followedBy(GroupResult later) {
    List<SeriesState> series = joined(members, later.members);
    PointColumn all = new PointColumn(memory.get(0));
    addTo(all);
    points.release();
    later.addTo(all);
    later.points.release();
    histograms.addAll(later.histograms);
    later.histograms.clear();
    return new GroupResult(series, all, 0, all.size(), histograms, joined(memory, later.memory));
  }

  private static <T> List<T> joined(List<T> one, List<T> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private void addTo(PointColumn all) {
    for (int i = from; i < to; i++) {
      if (points.isInteger(i)) {
        all.addLong(points.millis(i), points.longValue(i));
      } else {
        all.addDouble(points.millis(i), points.doubleValue(i));
      }
    }
  }

  @Override
  public void close() {
    memory.forEach(MemoryLease::close);
  }
}
