package org.hourstone.series;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Buckets of a time zone's days, months and so on. They depend only on the interval and the zone,
 * so all series have the same, whatever the range. Intervals of a day or more, in whatever unit,
 * are counted on the zone's calendar and clock from the beginning of 1970, weeks from its first
 * Sunday. Shorter ones are counted by elapsed time from the first instant of each day; the last
 * bucket of a day may be shorter. Each timestamp is in exactly one bucket, also where clocks
 * change.
 */
final class CalendarBuckets extends Buckets {
  private static final LocalDateTime BEGINNING = LocalDate.EPOCH.atStartOfDay();
  private static final LocalDateTime FIRST_SUNDAY = BEGINNING.plusDays(3);
  private static final int MONTHS_OF_YEAR = 12;

  private final Downsample downsample;
  private final ZoneRules rules;
  private final ZoneId zone;

  /** The current day, if buckets are shorter than one. */
  private long dayStart = Long.MAX_VALUE;

  private long dayEnd = Long.MIN_VALUE;

  CalendarBuckets(Downsample downsample) {
    this.downsample = downsample;
    this.zone = downsample.zone();
    this.rules = zone.getRules();
  }

  @Override
  void leaveFor(long millis) {
    long width = downsample.intervalMillis();
    if (width >= DurationUnit.DAYS.millis()) {
      moveByCalendar(millis);
      return;
    }
    if (millis >= dayEnd || millis < dayStart) {
      moveToDay(millis);
    }
    long start = millis - (millis - dayStart) % width;
    set(start, Math.min(start + width, dayEnd));
  }

  /** Clocks that go back at midnight may repeat the end of a day after the next one has begun. */
  private void moveToDay(long millis) {
    LocalDate date = local(millis).toLocalDate();
    do {
      dayStart = millis(date.atStartOfDay());
      date = date.plusDays(1);
      dayEnd = millis(date.atStartOfDay());
    } while (dayEnd <= millis);
  }

  private void moveByCalendar(long millis) {
    long index = index(local(millis));
    while (start(index) > millis) {
      index--;
    }
    while (start(index + 1) <= millis) {
      index++;
    }
    set(start(index), start(index + 1));
  }

  /** Which bucket, counted from the beginning, has a local time. */
  private long index(LocalDateTime time) {
    long months = (time.getYear() - BEGINNING.getYear()) * (long) MONTHS_OF_YEAR;
    return switch (downsample.unit()) {
      case MONTHS -> Math.floorDiv(months + time.getMonthValue() - 1, downsample.number());
      case YEARS -> Math.floorDiv(months / MONTHS_OF_YEAR, downsample.number());
      default ->
          Math.floorDiv(
              Duration.between(beginning(), time).toMillis(), downsample.intervalMillis());
    };
  }

  private LocalDateTime beginning() {
    return downsample.unit() == DurationUnit.WEEKS ? FIRST_SUNDAY : BEGINNING;
  }

  /** The start of a bucket; the end of time if that is later. */
  private long start(long index) {
    try {
      long units = Math.multiplyExact(index, downsample.number());
      return millis(beginning().plus(units, downsample.unit().chrono()));
    } catch (ArithmeticException | DateTimeException e) {
      return index < 0 ? Long.MIN_VALUE : Long.MAX_VALUE; // longer than calendars are
    }
  }

  private LocalDateTime local(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone);
  }

  /** The first instant that is not before a local time. */
  private long millis(LocalDateTime time) {
    ZoneOffsetTransition change = rules.getTransition(time);
    long seconds =
        change != null && change.isGap()
            ? change.toEpochSecond()
            : time.toEpochSecond(change == null ? rules.getOffset(time) : change.getOffsetBefore());
    return Math.addExact(Math.multiplyExact(seconds, 1000L), time.get(ChronoField.MILLI_OF_SECOND));
  }
}
