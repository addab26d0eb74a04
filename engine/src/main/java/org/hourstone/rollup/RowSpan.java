package org.hourstone.rollup;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * The length of a row of rolled-up values. Hours are counted from the epoch; days, months and years
 * are those of the calendar in UTC.
 *
 * @param hours the number of hours, 1 or an even number; 1 for the other units
 * @param unit the row's length is one unit, except for hours
 */
public record RowSpan(int hours, Unit unit) {
  /** The unit of a row's length. */
  public enum Unit {
    HOUR('h', 3600),
    DAY('d', 86_400),
    MONTH('n', 32 * 86_400),
    YEAR('y', 366 * 86_400);

    private final char letter;
    private final int seconds;

    Unit(char letter, int seconds) {
      this.letter = letter;
      this.seconds = seconds;
    }
  }

  /**
   * Parses {@code 1h}, {@code 6h}, {@code 1d}, {@code 1n} (month) or {@code 1y}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static RowSpan parse(String text) {
    for (Unit unit : Unit.values()) {
      if (text.endsWith(String.valueOf(unit.letter)) && text.matches("[0-9]{1,4}.")) {
        int number = Integer.parseInt(text.substring(0, text.length() - 1));
        boolean legal = number == 1 || (unit == Unit.HOUR && number > 0 && number % 2 == 0);
        if (legal) {
          return new RowSpan(number, unit);
        }
      }
    }
    throw new IllegalArgumentException(
        "rowSpan '" + text + "' is not one of 1h, an even number of hours, 1d, 1n and 1y");
  }

  /** The maximum number of seconds of a row: a month counts 32 days, a year 366. */
  public long maxSeconds() {
    return (long) hours * unit.seconds;
  }

  /** The length of rows of points. */
  public static final RowSpan OF_POINTS = new RowSpan(1, Unit.HOUR);

  /** Whether all rows are {@link #maxSeconds} long, counted from the epoch. */
  public boolean isRegular() {
    return unit == Unit.HOUR || unit == Unit.DAY;
  }

  /** The base time of the row that follows the row with this base time. */
  public long next(long baseTime) {
    return baseTime(baseTime + maxSeconds());
  }

  /** The base time of the row that holds a timestamp; both in seconds since the epoch. */
  public long baseTime(long seconds) {
    if (isRegular()) {
      return seconds - seconds % maxSeconds();
    }
    LocalDate day = LocalDate.ofInstant(Instant.ofEpochSecond(seconds), ZoneOffset.UTC);
    return start(unit == Unit.MONTH ? day.withDayOfMonth(1) : day.withDayOfYear(1));
  }

  private static long start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d%c", hours, unit.letter);
  }
}
