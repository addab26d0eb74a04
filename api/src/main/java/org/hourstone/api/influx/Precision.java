package org.hourstone.api.influx;

import org.hourstone.api.request.ApiException;

/** The unit of the timestamps of a body. */
enum Precision {
  NANOSECONDS(1, 1_000_000),
  MICROSECONDS(1, 1_000),
  MILLISECONDS(1, 1),
  SECONDS(1_000, 1),
  MINUTES(60_000, 1),
  HOURS(3_600_000, 1);

  private final long millis;
  private final long parts;

  /**
   * @param millis in a unit
   * @param parts units in a millisecond; one of both is 1
   */
  Precision(long millis, long parts) {
    this.millis = millis;
    this.parts = parts;
  }

  /**
   * @throws ApiException if there is no such precision
   */
  static Precision of(String name) {
    return switch (name) {
      case "", "ns", "n" -> NANOSECONDS;
      case "us", "u", "\u00b5s", "\u00b5" -> MICROSECONDS;
      case "ms" -> MILLISECONDS;
      case "s" -> SECONDS;
      case "m" -> MINUTES;
      case "h" -> HOURS;
      default ->
          throw new ApiException(
              ApiException.BAD_REQUEST,
              "invalid precision \"" + name + "\" (use ns, us, ms, s, m or h)");
    };
  }

  /**
   * A timestamp in milliseconds, cut off if it is finer. One that is far out of range stays out of
   * range.
   */
  long toMillis(long timestamp) {
    if (parts > 1) {
      return Math.floorDiv(timestamp, parts);
    }
    long high = Math.multiplyHigh(timestamp, millis);
    long product = timestamp * millis;
    boolean fits = high == product >> (Long.SIZE - 1);
    return fits ? product : timestamp < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** A time in milliseconds, as it would be read in this unit. */
  long cutOff(long time) {
    return time - Math.floorMod(time, millis);
  }
}
