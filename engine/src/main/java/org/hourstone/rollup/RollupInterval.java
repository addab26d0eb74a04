package org.hourstone.rollup;

import java.util.Locale;
import org.hourstone.codec.RollupQualifier;

/**
 * A resolution to which values are rolled up, and the tables that store them. See {@code
 * docs/format/rollup.md#intervals}.
 *
 * @param name as written in settings and requests, such as {@code 10m}
 * @param seconds its length; months and years count 30 and 365 days
 * @param rowSpan the length of a row
 * @param table the table of values rolled up over time only
 * @param preAggregationTable the table of values that are also aggregated over series
 * @param isDefault whether this is the resolution of raw points
 * @param delaySla how late values may arrive, in seconds; 0 if not specified
 */
public record RollupInterval(
    String name,
    long seconds,
    RowSpan rowSpan,
    String table,
    String preAggregationTable,
    boolean isDefault,
    long delaySla) {
  private static final int MIN_PER_ROW = 12;

  /** OpenTSDB accepts 7774, although such indexes do not fit in 12 bits. */
  private static final int MAX_PER_ROW = RollupQualifier.MAX_INDEX + 1;

  /**
   * @throws IllegalArgumentException if a table has no name, or a row has too few intervals or more
   *     than its qualifiers can number
   */
  public RollupInterval {
    if (table.isEmpty() || preAggregationTable.isEmpty()) {
      throw new IllegalArgumentException(
          "the rollup interval " + name + " lacks a table or a preAggregationTable");
    }
    long perRow = rowSpan.maxSeconds() / seconds;
    if (perRow < MIN_PER_ROW || perRow > MAX_PER_ROW) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the rollup interval %s has %d intervals in a row of %s: not in %d..%d",
              name,
              perRow,
              rowSpan,
              MIN_PER_ROW,
              MAX_PER_ROW));
    }
  }

  /** The number of intervals in a row. */
  public int perRow() {
    return (int) (rowSpan.maxSeconds() / seconds);
  }

  /** The base time of the row that holds a timestamp; both in seconds since the epoch. */
  public long baseTime(long timestamp) {
    return rowSpan.baseTime(timestamp);
  }

  /**
   * The index in its row of the interval that holds a timestamp.
   *
   * @param timestamp in seconds
   */
  public int index(long timestamp) {
    long index = (timestamp - baseTime(timestamp)) / seconds;
    if (index >= perRow()) {
      throw new IllegalArgumentException(
          "Offset of " + index + " was greater than the configured intervals " + perRow());
    }
    return (int) index;
  }

  /**
   * The seconds of a duration such as {@code 10m}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static long seconds(String duration) {
    int unitAt = duration.length() - 1;
    if (!duration.matches("[0-9]{1,9}[smhdwny]")) {
      throw new IllegalArgumentException(
          "interval '" + duration + "' is not a number and one of s, m, h, d, w, n and y");
    }
    long number = Long.parseLong(duration.substring(0, unitAt));
    if (number == 0) {
      throw new IllegalArgumentException("interval '" + duration + "' is zero");
    }
    return number
        * switch (duration.charAt(unitAt)) {
          case 's' -> 1;
          case 'm' -> 60;
          case 'h' -> 3600;
          case 'd' -> 86_400;
          case 'w' -> 7 * 86_400;
          case 'n' -> 30 * 86_400;
          default -> 365 * 86_400;
        };
  }
}
