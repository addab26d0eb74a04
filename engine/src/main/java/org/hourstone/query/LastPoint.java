package org.hourstone.query;

/**
 * The latest point of a series.
 *
 * @param tsuid of the series, in upper-case hex
 * @param millis its time, in milliseconds since the epoch
 * @param isInteger whether it was written as an integer
 * @param longValue its value if it is an integer, else 0
 * @param doubleValue its value; an integer is converted
 */
public record LastPoint(
    String tsuid, long millis, boolean isInteger, long longValue, double doubleValue) {
  /** The value as in OpenTSDB: an integer in digits, a double as Java prints it. */
  public String text() {
    return isInteger ? Long.toString(longValue) : Double.toString(doubleValue);
  }
}
