package org.hourstone.series;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * Buckets that begin where a time zone's days, months and so on do. The first one that is asked for
 * is found by {@linkplain #first counting} from a date before it; the others follow it, so that
 * they are not counted anew when a day or year begins. Days and more are counted by the calendar,
 * less by the clock that knows no changes of the zone.
 */
final class CalendarBuckets extends Buckets {
  private final long number;
  private final DurationUnit unit;
  private final ZoneId zone;
  private @Nullable ZonedDateTime next;

  CalendarBuckets(Downsample downsample) {
    this.number = downsample.number();
    this.unit = downsample.unit();
    this.zone = downsample.zone();
  }

  @Override
  void leaveFor(long millis) {
    if (unit.isOfCalendar()) {
      moveByCalendar(millis);
    } else {
      moveByClock(millis);
    }
  }

  private void moveByCalendar(long millis) {
    ZonedDateTime from = next == null ? first(millis) : next;
    ZonedDateTime to = after(from);
    while (millis(to) <= millis) {
      from = to;
      to = after(from);
    }
    next = to;
    set(millis(from), millis(to));
  }

  private void moveByClock(long millis) {
    long width = number * unit.millis();
    long counted = end() == Long.MIN_VALUE ? millis(first(millis)) : start();
    long start = millis - (millis - counted) % width;
    set(start, start + width);
  }

  private ZonedDateTime after(ZonedDateTime from) {
    return from.plus(number, unit.chrono());
  }

  private static long millis(ZonedDateTime time) {
    long seconds = time.toEpochSecond();
    return seconds > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : seconds * 1000;
  }

  /** Where counting begins for the bucket of an instant, when it is the first one. */
  private ZonedDateTime first(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone);
    ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    return switch (unit) {
      case MILLISECONDS -> time.truncatedTo(parts(1000) ? ChronoUnit.SECONDS : ChronoUnit.MINUTES);
      case SECONDS -> time.truncatedTo(parts(60) ? ChronoUnit.MINUTES : ChronoUnit.HOURS);
      case MINUTES -> parts(60) ? time.truncatedTo(ChronoUnit.HOURS) : day;
      case HOURS -> parts(24) ? day : day.withDayOfMonth(1);
      case DAYS -> number == 1 ? day : day.withDayOfYear(1);
      case WEEKS -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
      case MONTHS, YEARS -> day.withDayOfYear(1);
    };
  }

  /** Whether the larger unit consists of a whole number of buckets. */
  private boolean parts(int ofLarger) {
    return ofLarger % number == 0;
  }
}
