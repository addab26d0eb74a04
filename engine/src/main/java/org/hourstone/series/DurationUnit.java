package org.hourstone.series;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The units of durations. */
public enum DurationUnit {
  MILLISECONDS("ms", ChronoUnit.MILLIS, Duration.ofMillis(1)),
  SECONDS("s", ChronoUnit.SECONDS, Duration.ofSeconds(1)),
  MINUTES("m", ChronoUnit.MINUTES, Duration.ofMinutes(1)),
  HOURS("h", ChronoUnit.HOURS, Duration.ofHours(1)),
  DAYS("d", ChronoUnit.DAYS, Duration.ofDays(1)),
  WEEKS("w", ChronoUnit.WEEKS, Duration.ofDays(7)),
  MONTHS("n", ChronoUnit.MONTHS, Duration.ofDays(30)),
  YEARS("y", ChronoUnit.YEARS, Duration.ofDays(365));

  private final String suffix;
  private final ChronoUnit chrono;
  private final long millis;

  DurationUnit(String suffix, ChronoUnit chrono, Duration nominal) {
    this.suffix = suffix;
    this.chrono = chrono;
    this.millis = nominal.toMillis();
  }

  /** The suffix used in requests, such as {@code m} for minutes. */
  public String suffix() {
    return suffix;
  }

  /** The nominal length: 30 days for a month, 365 for a year. */
  public long millis() {
    return millis;
  }

  /** The unit by which dates are shifted. */
  ChronoUnit chrono() {
    return chrono;
  }

  /** Whether the length depends on the date and the time zone. */
  boolean isOfCalendar() {
    return compareTo(DAYS) >= 0;
  }

  /** The unit with this suffix, or null if there is none. */
  static @Nullable DurationUnit of(String suffix) {
    for (DurationUnit unit : values()) {
      if (unit.suffix.equals(suffix)) {
        return unit;
      }
    }
    return null;
  }

  /** The unit at the end of a text in lower or upper case, or null if there is none. */
  static @Nullable DurationUnit endOf(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return text.endsWith(MILLISECONDS.suffix)
        ? MILLISECONDS
        : of(lower.substring(Math.max(0, lower.length() - 1)));
  }
}
