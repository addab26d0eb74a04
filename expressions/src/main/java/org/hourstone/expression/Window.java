package org.hourstone.expression;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as functions take them: {@code 10min}, {@code 30s}, {@code 1hr}. */
final class Window {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,12})([a-zA-Z]*)");

  private Window() {}

  /** The span in milliseconds; -1 if the text is not one. */
  static long millis(String text) {
    Matcher span = SPAN.matcher(text);
    if (!span.matches()) {
      return -1;
    }
    long unit = unitMillis(span.group(2));
    long number = Long.parseLong(span.group(1));
    return unit < 0 || number > Long.MAX_VALUE / unit ? -1 : number * unit;
  }

  private static long unitMillis(String unit) {
    return switch (unit) {
      case "s", "sec" -> 1000;
      case "m", "min" -> 60_000;
      case "h", "hr", "hour" -> 3_600_000;
      case "d", "day" -> 86_400_000;
      default -> -1;
    };
  }

  /** The unit after the number. */
  static String unit(String text) {
    return text.replaceFirst("^\\d*", "");
  }
}
