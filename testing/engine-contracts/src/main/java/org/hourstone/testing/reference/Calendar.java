package org.hourstone.testing.reference;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Buckets of a calendar in a time zone.
 *
 * @param interval of each
 */
record Calendar(Interval interval, ZoneId zone) {
  /** The start of the bucket that a time is in, counted from the start of a larger unit. */
  long start(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone);
    ZonedDateTime start = anchor(time);
    for (ZonedDateTime next = add(start); !next.isAfter(time); next = add(start)) {
      start = next;
    }
    return start.toInstant().toEpochMilli();
  }

  /** The start of the bucket after that which starts then. */
  long next(long start) {
    return add(Instant.ofEpochMilli(start).atZone(zone)).toInstant().toEpochMilli();
  }

  private ZonedDateTime add(ZonedDateTime time) {
    return switch (interval.unit()) {
      case "ms" -> time.plus(interval.count(), ChronoUnit.MILLIS);
      case "s" -> time.plusSeconds(interval.count());
      case "m" -> time.plusMinutes(interval.count());
      case "h" -> time.plusHours(interval.count());
      case "d" -> time.plusDays(interval.count());
      case "w" -> time.plusWeeks(interval.count());
      case "n" -> time.plusMonths(interval.count());
      default -> time.plusYears(interval.count());
    };
  }

  private ZonedDateTime anchor(ZonedDateTime time) {
    long n = interval.count();
    ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    ZonedDateTime year = midnight(day.withDayOfYear(1));
    return switch (interval.unit()) {
      case "ms" -> time.truncatedTo(1000 % n == 0 ? ChronoUnit.SECONDS : ChronoUnit.MINUTES);
      case "s" -> time.truncatedTo(60 % n == 0 ? ChronoUnit.MINUTES : ChronoUnit.HOURS);
      case "m" -> 60 % n == 0 ? time.truncatedTo(ChronoUnit.HOURS) : day;
      case "h" -> 24 % n == 0 ? day : midnight(day.withDayOfMonth(1));
      case "d" -> n == 1 ? day : year;
      case "w" -> midnight(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY)));
      default -> year;
    };
  }

  private static ZonedDateTime midnight(ZonedDateTime day) {
    return day.toLocalDate().atTime(LocalTime.MIDNIGHT).atZone(day.getZone());
  }
}
