package org.hourstone.query;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hourstone.series.PointColumn;

/**
 * One series of a query's result. Immutable.
 *
 * <p>Points are ascending in time; each value is an integer or a double.
 */
public final class ResultSeries {
  private final String metric;
  private final Map<String, String> tags;
  private final List<String> aggregateTags;
  private final List<String> tsuids;
  private final List<byte[]> annotations;
  private final PointColumn points;
  private final int from;
  private final int to;

  public ResultSeries(
      String metric,
      Map<String, String> tags,
      List<String> aggregateTags,
      List<String> tsuids,
      List<byte[]> annotations,
      PointColumn points,
      int from,
      int to) {
    this.metric = metric;
    this.tags = Collections.unmodifiableMap(tags);
    this.aggregateTags = List.copyOf(aggregateTags);
    this.tsuids = tsuids;
    this.annotations = annotations;
    this.points = points;
    this.from = from;
    this.to = to;
  }

  public String metric() {
    return metric;
  }

  /** The tags all of the underlying series have in common, by name. */
  public Map<String, String> tags() {
    return tags;
  }

  /** The names of the tags in whose values the underlying series differ. */
  public List<String> aggregateTags() {
    return aggregateTags;
  }

  /** The TSUIDs of the underlying series, in upper-case hex, sorted. */
  public List<String> tsuids() {
    return tsuids;
  }

  /**
   * The annotations in the rows that were read, of all underlying series and at any time, in their
   * stored form; empty unless the query {@linkplain PointSource#annotations requested} them.
   */
  public List<byte[]> annotations() {
    return annotations;
  }

  /** How many points there are; may be 0. */
  public int size() {
    return to - from;
  }

  private int index(int i) {
    return from + Objects.checkIndex(i, to - from);
  }

  /** The point's time, in milliseconds since the epoch. */
  public long millis(int i) {
    return points.millis(index(i));
  }

  public boolean isInteger(int i) {
    return points.isInteger(index(i));
  }

  /**
   * The value of an integer point.
   *
   * @throws IllegalStateException if the point is not an integer
   */
  public long longValue(int i) {
    if (!isInteger(i)) {
      throw new IllegalStateException("point " + i + " is not an integer");
    }
    return points.longValue(index(i));
  }

  public double doubleValue(int i) {
    return points.doubleValue(index(i));
  }

  /** The value as in OpenTSDB: an integer in digits, a double as Java prints it. */
  public String text(int i) {
    return isInteger(i)
        ? Long.toString(points.longValue(index(i)))
        : Double.toString(doubleValue(i));
  }

  /** Calls back for every point, in time order. */
  public void forEach(PointConsumer consumer) {
    for (int i = 0; i < size(); i++) {
      consumer.accept(millis(i), doubleValue(i));
    }
  }

  /** Receives the points from {@link #forEach}. */
  @FunctionalInterface
  public interface PointConsumer {
    /**
     * @param millis since the epoch
     * @param value an integer is converted
     */
    void accept(long millis, double value);
  }
}
