package org.hourstone.series;

import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/** How durations in requests, such as {@code 5m}, are parsed, and how calendar days are counted. */
public enum Durations {
  /** The number is followed by its unit: ms, s, m, h, d, w, n (30 days) or y (365 days). */
  HOURSTONE,
  OPENTSDB {
    /**
     * OpenTSDB skips anything between the number's digits and the unit, so that {@code 1.5h} is an
     * hour, and accepts units in upper case.
     */
    @Override
    @Nullable DurationUnit unit(String text, int digits) {
      return DurationUnit.endOf(text);
    }

    /** OpenTSDB ignores what is before and after it. */
    @Override
    boolean isAll(String interval) {
      return interval.contains(ALL_NAME);
    }

    /** In OpenTSDB each series has calendar buckets of its own. */
    @Override
    boolean countsFromFirstPoint() {
      return true;
    }
  };

  /** The interval that is the whole range. */
  static final String ALL_NAME = "all";

  /** A number of units. */
  record Span(long number, DurationUnit unit) {
    /** The nominal length: a month counts 30 days, a year 365. */
    long millis() {
      return number * unit.millis();
    }
  }

  /** The unit of a duration that begins with a number of digits; null if there is none. */
  @Nullable DurationUnit unit(String text, int digits) {
    return DurationUnit.of(text.substring(digits));
  }

  /** Whether an interval is the whole range. */
  boolean isAll(String interval) {
    return interval.equals(ALL_NAME) || interval.equals("0" + ALL_NAME);
  }

  /** Whether calendar buckets are counted from the first point of a series. */
  boolean countsFromFirstPoint() {
    return false;
  }

  /**
   * The duration in milliseconds: ms, s, m, h, d, w, n (30 days) or y (365 days).
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public static long parseMillis(String text) {
    return HOURSTONE.parse(text).millis();
  }

  /**
   * Parses a number of units.
   *
   * @throws RequestException if it is malformed; the message says how
   */
  Span parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits > 0 && digits == text.length()) {
      throw new RequestException("Invalid duration, must have an integer and unit: " + text);
    }
    long number = number(text, digits);
    DurationUnit unit = unit(text, digits);
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
