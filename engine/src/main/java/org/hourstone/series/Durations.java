package org.hourstone.series;

import org.hourstone.error.RequestException;

/** Durations as written in requests: a number and a unit, such as {@code 5m}. */
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
   * The duration in milliseconds: ms, s, m, h, d, w, n (30 days) or y (365 days).
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public static long parseMillis(String text) {
    return parse(text, false).millis();
  }

  /**
   * Parses a number of units.
   *
   * @param openTsdb whether to parse it as OpenTSDB does: anything between the number's digits and
   *     the unit is skipped, so that {@code 1.5h} is an hour, and units may be in upper case
   * @throws RequestException if it is malformed; the message says how
   */
  static Span parse(String text, boolean openTsdb) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits > 0 && digits == text.length()) {
      throw new RequestException("Invalid duration, must have an integer and unit: " + text);
    }
    long number = number(text, digits);
    DurationUnit unit =
        openTsdb ? DurationUnit.endOf(text) : DurationUnit.of(text.substring(digits));
    if (unit == null) {
      throw new RequestException("Invalid duration (suffix): " + text);
    }
    if (number > Long.MAX_VALUE / unit.millis()) {
      throw new RequestException("Duration must be < Long.MAX_VALUE ms: " + text);
    }
    return new Span(number, unit);
  }

  private static long number(String text, int digits) {
    long number;
    try {
      number = Long.parseLong(text.substring(0, digits));
    } catch (NumberFormatException e) {
      throw new RequestException("Invalid duration (number): " + text, e);
    }
    if (number == 0) {
      throw new RequestException("Zero or negative duration: " + text);
    }
    return number;
  }
}
