package org.hourstone.query;

import java.util.List;
import java.util.Map;
import org.hourstone.kv.ScanCounts;
import org.jspecify.annotations.Nullable;

/**
 * How a query was answered, and which points made its values at one instant.
 *
 * @param query its text
 * @param parts of its range, in the order of time
 * @param threads how many threads read for all queries
 * @param limits what a query may use
 * @param cost what this one used
 * @param values one for each series of the answer, if an instant was asked for
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
   * @param table with its family
   * @param fromMillis the first instant that is answered
   * @param toMillis the last one
   * @param rowsFromSeconds the base time of the first row, in seconds since the epoch
   * @param rowsToSeconds the base time after the last row
   * @param saltBuckets how many ranges of rows that makes; 1 without salt
   * @param keyFilters the filters that choose rows by their keys, where the data is
   * @param nameFilters the filters that are looked at by the names of values
   * @param series how many series are read by their keys; −1 if rows are scanned
   * @param why where these series are known from, or why they are not
   * @param downsampledAsRead whether only what is left of points is ever held
   * @param answered whether the part was answered from it; else it had nothing
   */
  public record Part(
      String source,
      String table,
      long fromMillis,
      long toMillis,
      long rowsFromSeconds,
      long rowsToSeconds,
      int saltBuckets,
      List<String> keyFilters,
      List<String> nameFilters,
      int series,
      String why,
      boolean downsampledAsRead,
      boolean answered) {}

  /**
   * What was read.
   *
   * @param store what the store looked at, if it counts that; of all that was read meanwhile
   */
  public record Cost(
      long rows, long bytes, long points, long series, ScanCounts.@Nullable Rows store) {}

  /**
   * A value of a series of the answer.
   *
   * @param tags the series' tags, by name
   * @param millis when
   * @param text as it is answered; null if there is none at this instant
   * @param origins one for each of the underlying series
   */
  public record Value(
      String metric,
      Map<String, String> tags,
      long millis,
      @Nullable String text,
      List<Origin> origins) {}

  /** What a series gives to a value. */
  public enum Kind {
    /** Its points, or those of its bucket, or of two if it is a rate. */
    POINTS("has"),
    /** It has none there: what is on the line between those before and after. */
    BETWEEN("lies between"),
    /** It has none there: what is made of those before. */
    HELD("holds"),
    /** It has none there: a constant, as the aggregator says. */
    CONSTANT("counts as a constant between its points"),
    /** It has none there: what the fill policy says. */
    FILLED("is filled"),
    /** Nothing: it has not begun, or has ended. */
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
   * What one series gives to a value.
   *
   * @param tsuid in hex
   * @param points those it is made of, or of rolled-up values these; at most {@link #MOST}
   * @param more how many more there are
   */
  public record Origin(String tsuid, Kind kind, List<Point> points, int more) {
    /** How many points are told. */
    public static final int MOST = 1000;
  }

  /**
   * A point as it is stored.
   *
   * @param millis since the epoch
   * @param text its value
   */
  public record Point(long millis, String text) {}

  /** The same with what the store looked at. */
  public Explanation withStoreCounts(ScanCounts.Rows store) {
    Cost counted = new Cost(cost.rows(), cost.bytes(), cost.points(), cost.series(), store);
    return new Explanation(query, parts, threads, limits, counted, values);
  }
}
