package org.hourstone.testing.reference;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;

/**
 * Buckets of a calendar in a time zone, which all series share: of a day or more they are counted
 * from the beginning of 1970, weeks from its first Sunday; shorter ones from the beginning of each
 * day.
 *
 * @param interval of each
 */
record Calendar(Interval interval, ZoneId zone) implements Buckets {
  private static final long DAY = 86_400_000;
  private static final LocalDateTime FIRST_DAY = LocalDateTime.of(1970, 1, 1, 0, 0);
  private static final LocalDateTime FIRST_SUNDAY = LocalDateTime.of(1970, 1, 4, 0, 0);

  @Override
  public long start(long millis) {
    if (interval.millis() < DAY) {
      long day = startOfDay(millis);
      return millis - (millis - day) % interval.millis();
    }
    return begin(number(millis));
  }

  @Override
  public long next(long start) {
    if (interval.millis() < DAY) {
      return Math.min(start + interval.millis(), endOfDay(start));
    }
    long number = number(start);
    while (begin(number) == start) {
      number++;
    }
    return begin(number);
  }

  /** The number of the last bucket that does not begin later. */
  private long number(long millis) {
    long from = -2;
    long to = millis / (interval.millis() / 10 * 9) + 3;
    while (to - from > 1) {
      long middle = (from + to) / 2;
      if (begin(middle) <= millis) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private long begin(long number) {
    long n = number * interval.count();
    return first(
        switch (interval.unit()) {
          case "ms" -> FIRST_DAY.plus(n, ChronoUnit.MILLIS);
          case "s" -> FIRST_DAY.plusSeconds(n);
          case "m" -> FIRST_DAY.plusMinutes(n);
          case "h" -> FIRST_DAY.plusHours(n);
          case "d" -> FIRST_DAY.plusDays(n);
          case "w" -> FIRST_SUNDAY.plusWeeks(n);
          case "n" -> FIRST_DAY.plusMonths(n);
          default -> FIRST_DAY.plusYears(n);
        });
  }

  /** When clocks first show a time or a later one. */
  private long first(LocalDateTime time) {
    ZoneOffsetTransition change = zone.getRules().getTransition(time);
    return change != null && change.isGap()
        ? change.getInstant().toEpochMilli()
        : time.atZone(zone).withEarlierOffsetAtOverlap().toInstant().toEpochMilli();
  }

  private long startOfDay(long millis) {
    LocalDate day = Instant.ofEpochMilli(millis).atZone(zone).toLocalDate().plusDays(1);
    while (first(day.atStartOfDay()) > millis) {
      day = day.minusDays(1);
    }
    return first(day.atStartOfDay());
  }

  private long endOfDay(long millis) {
    LocalDate day = Instant.ofEpochMilli(millis).atZone(zone).toLocalDate();
    while (first(day.atStartOfDay()) <= millis) {
      day = day.plusDays(1);
    }
    return first(day.atStartOfDay());
  }
}
