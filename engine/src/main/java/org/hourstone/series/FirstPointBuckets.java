package org.hourstone.series;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * Buckets of a time zone's days, months and so on, as in OpenTSDB. The first bucket requested is
 * found by {@linkplain #first counting} from an earlier date. The others follow it, so they depend
 * on the first point of a series, and counting does not restart when a year or day begins. Days and
 * longer units are counted by the calendar; shorter ones by elapsed time, regardless of changes of
 * the zone's offset. A bucket begins at the same hour as the previous one, even if that day began
 * at 1:00.
 */
final class FirstPointBuckets extends Buckets {
  private final long number;
  private final DurationUnit unit;
  private final ZoneId zone;
  private @Nullable ZonedDateTime next;

  FirstPointBuckets(Downsample downsample) {
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

  /** The start of the bucket of a timestamp, if it is the first bucket requested. */
  private ZonedDateTime first(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone);
    LocalDate date = time.toLocalDate();
    ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    return switch (unit) {
      case MILLISECONDS -> time.truncatedTo(parts(1000) ? ChronoUnit.SECONDS : ChronoUnit.MINUTES);
      case SECONDS -> time.truncatedTo(parts(60) ? ChronoUnit.MINUTES : ChronoUnit.HOURS);
      case MINUTES -> parts(60) ? time.truncatedTo(ChronoUnit.HOURS) : day;
      case HOURS -> parts(24) ? day : date.withDayOfMonth(1).atStartOfDay(zone);
      case DAYS -> number == 1 ? day : date.withDayOfYear(1).atStartOfDay(zone);
      case WEEKS ->
          date.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY)).atStartOfDay(zone);
      case MONTHS, YEARS -> date.withDayOfYear(1).atStartOfDay(zone);
    };
  }

  /** Whether the larger unit consists of an integral number of buckets. */
  private boolean parts(int ofLarger) {
    return ofLarger % number == 0;
  }
}
