package org.hourstone.tsd.terminal;

import java.time.Duration;
import java.util.Locale;

/** Numbers in sentences, with their nouns. */
public final class Plurals {
  private Plurals() {}

  /** {@code 1,234}. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 point}, {@code 1,234 points}. */
  public static String count(long number, String singular) {
    return count(number, singular, singular + "s");
  }

  /** As {@link #count(long, String)}, with an irregular plural. */
  public static String count(long number, String singular, String plural) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? singular : plural);
  }

  /** {@code 1.2 s}. */
  public static String seconds(Duration took) {
    return String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1000.0);
  }
}
