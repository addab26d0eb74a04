package org.hourstone.testing.reference;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a bucket is.
 *
 * @param count how many units
 * @param unit ms, s, m, h, d, w, n for a month, or y
 */
record Interval(long count, String unit) {
  private static final Pattern TEXT = Pattern.compile("(\\d+)(ms|[smhdwny])");

  static Interval parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no interval: " + text);
    }
    return new Interval(Long.parseLong(parts.group(1)), parts.group(2));
  }

  /** A month has 30 days and a year 365. */
  long millis() {
    long second = 1000;
    long day = 86_400 * second;
    return count
        * switch (unit) {
          case "ms" -> 1;
          case "s" -> second;
          case "m" -> 60 * second;
          case "h" -> 3600 * second;
          case "d" -> day;
          case "w" -> 7 * day;
          case "n" -> 30 * day;
          default -> 365 * day;
        };
  }
}
