package org.hourstone.query;

/** Spans of time as they stand in requests: a number and a unit, such as {@code 5m}. */
final class Durations {
  private Durations() {}

  /**
   * The span in milliseconds: ms, s, m, h, d, w, n (30 days) or y (365 days).
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static long parseMillis(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 12) {
      throw new IllegalArgumentException("Invalid duration (number): " + text);
    }
    long unit = unitMillis(text, text.substring(digits));
    long number = Long.parseLong(text.substring(0, digits));
    if (number == 0) {
      throw new IllegalArgumentException("Zero or negative duration: " + text);
    }
    if (number > Long.MAX_VALUE / unit) {
      throw new IllegalArgumentException("Invalid duration (too long): " + text);
    }
    return number * unit;
  }

  private static long unitMillis(String text, String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      case "d" -> 86_400_000;
      case "w" -> 7 * 86_400_000L;
      case "n" -> 30 * 86_400_000L;
      case "y" -> 365 * 86_400_000L;
      default -> throw new IllegalArgumentException("Invalid duration (suffix): " + text);
    };
  }
}
