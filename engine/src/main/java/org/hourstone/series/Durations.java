package org.hourstone.series;

/** Spans of time as they stand in requests: a number and a unit, such as {@code 5m}. */
public final class Durations {
  private Durations() {}

  /** A span. */
  record Span(long number, DurationUnit unit) {
    /** Nominal: a month counts 30 days, a year 365. */
    long millis() {
      return number * unit.millis();
    }
  }

  /**
   * The span in milliseconds: ms, s, m, h, d, w, n (30 days) or y (365 days).
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static long parseMillis(String text) {
    return parse(text, false).millis();
  }

  /**
   * A number of units.
   *
   * @param openTsdb whether to read it as OpenTSDB does: whatever is between the number's digits
   *     and the unit is passed over, so that {@code 1.5h} is an hour, and units may be in upper
   *     case
   * @throws IllegalArgumentException saying what is wrong
   */
  static Span parse(String text, boolean openTsdb) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits > 0 && digits == text.length()) {
      throw new IllegalArgumentException(
          "Invalid duration, must have an integer and unit: " + text);
    }
    long number = number(text, digits);
    DurationUnit unit =
        openTsdb ? DurationUnit.endOf(text) : DurationUnit.of(text.substring(digits));
    if (unit == null) {
      throw new IllegalArgumentException("Invalid duration (suffix): " + text);
    }
    if (number > Long.MAX_VALUE / unit.millis()) {
      throw new IllegalArgumentException("Duration must be < Long.MAX_VALUE ms: " + text);
    }
    return new Span(number, unit);
  }

  private static long number(String text, int digits) {
    long number;
    try {
      number = Long.parseLong(text.substring(0, digits));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Invalid duration (number): " + text, e);
    }
    if (number == 0) {
      throw new IllegalArgumentException("Zero or negative duration: " + text);
    }
    return number;
  }
}
