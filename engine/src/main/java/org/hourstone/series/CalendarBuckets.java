package org.hourstone.series;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * Buckets that begin at a time zone's days, months and so on. The first one requested is found by
 * {@linkplain #first counting} from a date before it. The others follow it, so that counting does
 * not restart when a day or year begins. Days and longer units are counted by the calendar; shorter
 * ones by elapsed time, regardless of changes of the zone's offset.
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

  /** The date from which the bucket of a timestamp is counted, when it is the first one. */
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
