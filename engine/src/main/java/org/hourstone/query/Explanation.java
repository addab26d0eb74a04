package org.hourstone.query;

import java.util.List;
import java.util.Map;
import org.hourstone.kv.ScanCounts;
import org.jspecify.annotations.Nullable;

/**
 * How a query was run, and the points from which its values at one timestamp were computed.
 *
 * @param query its text
 * @param parts of its range, in the order of time
 * @param threads how many threads read for all queries
 * @param limits what a query may use
 * @param cost what this one used
 * @param values one for each result series, if a timestamp was given
 */
public record Explanation(
    String query,
    List<Part> parts,
    int threads,
    QueryLimits limits,
    Cost cost,
    List<Value> values) {

  /**
   * A part of the range and where its values come from.
   *
   * @param source what is read, such as "points" and "rollup 1h"
   * @param fromMillis the first timestamp of the part
   * @param toMillis the last one
   * @param downsampledAsRead whether only downsampled points are kept in memory
   * @param answered whether this source supplied the part; false if it had no data
   */
  public record Part(
      String source,
      long fromMillis,
      long toMillis,
      Rows rows,
      Filters filters,
      Series series,
      boolean downsampledAsRead,
      boolean answered) {}

  /**
   * The rows of a part.
   *
   * @param table with its family
   * @param fromSeconds the base time of the first row, in seconds since the epoch
   * @param toSeconds the base time after the last row
   * @param saltBuckets the number of ranges of rows; 1 without salt
   */
  public record Rows(String table, long fromSeconds, long toSeconds, int saltBuckets) {}

  /**
   * The filters of a query, as text.
   *
   * @param byKey those applied to row keys, in the store
   * @param byName those tested against the names of values
   */
  public record Filters(List<String> byKey, List<String> byName) {}

  /**
   * How the series of a part are found.
   *
   * @param known how many are read by their keys; −1 if rows are scanned
   * @param why where these were found, or why they are not known
   */
  public record Series(int known, String why) {}

  /**
   * The amounts read.
   *
   * @param store the rows the store examined, if it counts them; includes rows examined for
   *     concurrent reads
   */
  public record Cost(
      long rows, long bytes, long points, long series, ScanCounts.@Nullable Rows store) {}

  /**
   * A value of a result series.
   *
   * @param tags the series' tags, by name
   * @param millis its timestamp
   * @param text the value as returned; null if there is none at this timestamp
   * @param origins one for each of the underlying series
   */
  public record Value(
      String metric,
      Map<String, String> tags,
      long millis,
      @Nullable String text,
      List<Origin> origins) {}

  /** The contribution of a series to a value. */
  public enum Kind {
    /** Its points, or those of its bucket, or of two if it is a rate. */
    POINTS("has"),
    /** No point at this timestamp: interpolated between the points before and after. */
    BETWEEN("lies between"),
    /** No point at this timestamp: computed from earlier points. */
    HELD("holds"),
    /** No point at this timestamp: a constant of the aggregator. */
    CONSTANT("counts as a constant between its points"),
    /** No value at this timestamp: set by the fill policy. */
    FILLED("is filled"),
    /** No contribution: the series has not begun, or has ended. */
    NOTHING("gives nothing");

    private final String verb;

    Kind(String verb) {
      this.verb = verb;
    }

    /** For sentences: "has", "lies between" and so on. */
    public String verb() {
      return verb;
    }
  }

  /**
   * The contribution of one series to a value.
   *
   * @param tsuid in hex
   * @param points the points, or rolled-up values, from which it was computed; at most {@link
   *     #MOST}
   * @param more the number of further points
   */
  public record Origin(String tsuid, Kind kind, List<Point> points, int more) {
    /** The maximum number of points listed. */
    public static final int MOST = 1000;
  }

  /**
   * A point as it is stored.
   *
   * @param millis since the epoch
   * @param text its value
   */
  public record Point(long millis, String text) {}

  /** The same explanation with the store's counts. */
  public Explanation withStoreCounts(ScanCounts.Rows store) {
    Cost counted = new Cost(cost.rows(), cost.bytes(), cost.points(), cost.series(), store);
    return new Explanation(query, parts, threads, limits, counted, values);
  }
}
