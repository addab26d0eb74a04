package org.hourstone.query;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.series.PointColumn;

/**
 * Builds a result series from points that are computed rather than read. Points are added in time
 * order. Not thread-safe.
 */
public final class SeriesBuilder {
  private final String metric;
  private final Map<String, String> tags;
  private final List<String> aggregateTags;
  private final List<String> tsuids;
  private final PointColumn points = new PointColumn();

  /**
   * @param tags those that the underlying series have in common
   * @param aggregateTags the names of the tags in which they differ
   * @param tsuids of the underlying series, in upper-case hex, sorted
   */
  public SeriesBuilder(
      String metric, Map<String, String> tags, List<String> aggregateTags, List<String> tsuids) {
    this.metric = metric;
    this.tags = new LinkedHashMap<>(tags);
    this.aggregateTags = List.copyOf(aggregateTags);
    this.tsuids = List.copyOf(tsuids);
  }

  /** A builder of a series with the same name and tags, with space for as many points. */
  public static SeriesBuilder like(ResultSeries series) {
    SeriesBuilder builder =
        new SeriesBuilder(series.metric(), series.tags(), series.aggregateTags(), series.tsuids());
    builder.reserve(series.size());
    return builder;
  }

  /** Makes room for points. */
  public void reserve(int count) {
    points.reserve(count);
  }

  public void addLong(long millis, long value) {
    points.addLong(millis, value);
  }

  public void addDouble(long millis, double value) {
    points.addDouble(millis, value);
  }

  /** Adds a point of another series as it is. */
  public void add(ResultSeries series, int i) {
    if (series.isInteger(i)) {
      points.addLong(series.millis(i), series.longValue(i));
    } else {
      points.addDouble(series.millis(i), series.doubleValue(i));
    }
  }

  /** The series of the points added; none may be added afterwards. */
  public ResultSeries build() {
    return new ResultSeries(
        metric, tags, aggregateTags, tsuids, List.of(), points, 0, points.size());
  }
}
