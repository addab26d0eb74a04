package org.hourstone.testing.reference;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Buckets of a calendar in a time zone as in OpenTSDB: counted from the first point of a series,
 * and each begins at the hour of the one before it.
 *
 * @param interval of each
 */
record StrictCalendar(Interval interval, ZoneId zone) implements Buckets {
  /** Counted from the start of a larger unit. */
  @Override
  public long start(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone);
    ZonedDateTime start = anchor(time);
    for (ZonedDateTime next = add(start); !next.isAfter(time); next = add(start)) {
      start = next;
    }
    return start.toInstant().toEpochMilli();
  }

  @Override
  public long next(long start) {
    return add(Instant.ofEpochMilli(start).atZone(zone)).toInstant().toEpochMilli();
  }

  private ZonedDateTime add(ZonedDateTime time) {
    long n = interval.count();
    return switch (interval.unit()) {
      case "ms" -> time.plus(n, ChronoUnit.MILLIS);
      case "s" -> time.plusSeconds(n);
      case "m" -> time.plusMinutes(n);
      case "h" -> time.plusHours(n);
      case "d" -> time.plusDays(n);
      case "w" -> time.plusWeeks(n);
      case "n" -> time.plusMonths(n);
      default -> time.plusYears(n);
    };
  }

  private ZonedDateTime beginning(LocalDate day) {
    return day.atStartOfDay(zone);
  }

  private ZonedDateTime anchor(ZonedDateTime time) {
    long n = interval.count();
    LocalDate date = time.toLocalDate();
    ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    ZonedDateTime year = beginning(date.withDayOfYear(1));
    return switch (interval.unit()) {
      case "ms" -> time.truncatedTo(1000 % n == 0 ? ChronoUnit.SECONDS : ChronoUnit.MINUTES);
      case "s" -> time.truncatedTo(60 % n == 0 ? ChronoUnit.MINUTES : ChronoUnit.HOURS);
      case "m" -> 60 % n == 0 ? time.truncatedTo(ChronoUnit.HOURS) : day;
      case "h" -> 24 % n == 0 ? day : beginning(date.withDayOfMonth(1));
      case "d" -> n == 1 ? day : year;
      case "w" -> beginning(date.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY)));
      default -> year;
    };
  }
}
