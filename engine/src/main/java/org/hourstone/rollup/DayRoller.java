package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Change;
import org.hourstone.kv.Row;
import org.hourstone.rollup.MarkedHour.Reason;

/**
 * Computes the rolled-up values of days from those of their hours, of which the {@linkplain
 * RollupPlan#feeding feeding interval} has all, and writes them. For one thread at a time.
 */
final class DayRoller {
  private final RollupRows rows;
  private final RowKey keys;
  private final RollupPlan plan;
  private final RolledHours hours;
  private final IntervalCells cells;
  private final RolledWrites writes;
  private final UnreadableRows unreadable;
  private final Runnable pace;

  /**
   * @param pace called for each row of values that is read where there may be no points; may wait
   *     or throw
   */
  DayRoller(
      RollupRows rows,
      RowKey keys,
      RollupPlan plan,
      RolledHours hours,
      IntervalCells cells,
      RolledWrites writes,
      UnreadableRows unreadable,
      Runnable pace) {
    this.rows = rows;
    this.keys = keys;
    this.plan = plan;
    this.hours = hours;
    this.cells = cells;
    this.writes = writes;
    this.unreadable = unreadable;
    this.pace = pace;
  }

  /** Rolls up a day from what its hours were rolled up to. */
  void roll(long day, boolean replaces) {
    if (plan.ofDays().isEmpty()) {
      return;
    }
    RollupInterval feeding = plan.feeding();
    HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
    // A row of the feeding interval may be longer than the day, but it begins before its end.
    long first = feeding.rowSpan().baseTime(day);
    HourRange bases = new HourRange(first, day + RollupPlan.DAY);
    rows.forEachOfValues(
        feeding,
        bases,
        row -> {
          if (!unreadable.pass(() -> roll(row, ofDay, replaces))) {
            mark(keys.tsuid(row.key()), ofDay);
          }
        });
    writes.flush();
    if (replaces) {
      rollThoseWithValues(ofDay);
    }
  }

  /**
   * Rolls up days that have no points any more: from what their hours were rolled up to, as these
   * days may not have been wanted then, and again if they have values.
   *
   * @param days until the first day that has points
   */
  void rollThoseWithoutPoints(HourRange days) {
    if (plan.ofDays().isEmpty() || days.isEmpty()) {
      return;
    }
    RollupInterval feeding = plan.feeding();
    long first = feeding.rowSpan().baseTime(days.from());
    rows.forEachOfValues(feeding, new HourRange(first, days.until()), row -> rollDaysOf(row, days));
    writes.flush();
    rollThoseWithValues(days);
  }

  private void rollDaysOf(Row row, HourRange days) {
    pace.run();
    if (!keys.isSeriesRow(row.key())) {
      return;
    }
    long base = keys.baseTime(row.key());
    HourRange ofRow = new HourRange(dayOf(base), plan.feeding().rowSpan().next(base)).within(days);
    for (long day = ofRow.from(); day < ofRow.until(); day += RollupPlan.DAY) {
      HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
      if (!unreadable.pass(() -> roll(row, ofDay, true))) {
        mark(keys.tsuid(row.key()), ofDay);
      }
    }
  }

  private static long dayOf(long seconds) {
    return seconds - Math.floorMod(seconds, RollupPlan.DAY);
  }

  /** Rolls up the days of which there are values already: their hours may have none any more. */
  private void rollThoseWithValues(HourRange days) {
    for (RollupInterval interval : plan.ofDays()) {
      rows.forEachValue(
          interval,
          days,
          RollupPlan.DAY,
          (tsuid, day) -> {
            pace.run();
            HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
            if (!unreadable.pass(() -> rollAgain(tsuid, ofDay, false))) {
              mark(tsuid, ofDay);
            }
          });
      writes.flush();
    }
  }

  /**
   * Rolls up the day of a series that an hour is in, whose values have changed, unless not all of
   * it is to be rolled up.
   *
   * @param isDeletion whether points of the hour were deleted that had not expired: then the row of
   *     its values is left
   */
  void rollAgain(byte[] tsuid, long hour, HourRange done, boolean isDeletion) {
    long day = dayOf(hour);
    HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
    if (plan.ofDays().isEmpty() || !ofDay.within(done).equals(ofDay)) {
      return;
    }
    rollAgain(tsuid, ofDay, isDeletion);
    writes.flush();
  }

  private void rollAgain(byte[] tsuid, HourRange ofDay, boolean isDeletion) {
    RollupInterval feeding = plan.feeding();
    Row first = rows.values(feeding, tsuid, feeding.rowSpan().baseTime(ofDay.from()));
    roll(first, ofDay, true, isDeletion);
  }

  /** Has a day rolled up again with each of its hours, as some of its values can't be read. */
  private void mark(byte[] tsuid, HourRange ofDay) {
    for (long hour = ofDay.from(); hour < ofDay.until(); hour += Timestamps.ROW_SECONDS) {
      hours.markRead(keys.rowKey(tsuid, hour), Reason.CHANGED);
    }
  }

  /**
   * Rolls up a day of a series.
   *
   * @param row one of the rows of the feeding interval; may be empty
   */
  private void roll(Row row, HourRange ofDay, boolean replaces) {
    roll(row, ofDay, replaces, false);
  }

  private void roll(Row row, HourRange ofDay, boolean replaces, boolean isDeletion) {
    if (!keys.isSeriesRow(row.key())) {
      return;
    }
    byte[] tsuid = keys.tsuid(row.key());
    List<Row> fed = feedingRows(tsuid, row, ofDay);
    for (Row each : fed) {
      if (!each.isEmpty() && !row.isEmpty()) {
        if (each != row) {
          return; // with that one the day was rolled up
        }
        break;
      }
    }
    boolean stays = replaces && staysThoughHoursAreLeft(tsuid, ofDay, isDeletion);
    for (RollupInterval interval : plan.ofDays()) {
      if (stays && isOfMorePoints(tsuid, interval, fed, ofDay)) {
        continue;
      }
      long first = interval.baseTime(ofDay.from());
      byte[] target = keys.rowKey(tsuid, first);
      List<Change> puts = valuesOf(fed, interval, ofDay);
      writes.write(
          rows.familyOf(interval),
          target,
          puts,
          index -> ofDay.contains(first + index * interval.seconds()),
          replaces);
    }
  }

  /**
   * Whether the values of a day stay although there may be others of its hours. These may be of
   * another interval than the ones that it was computed from, and have none of the points that were
   * deleted as expired before. Or all points of the day were deleted, and values of some hours may
   * have been since.
   */
  private boolean staysThoughHoursAreLeft(byte[] tsuid, HourRange ofDay, boolean isDeletion) {
    long last = ofDay.until() - Timestamps.ROW_SECONDS;
    if (!isDeletion
        && hours.mayHaveExpired(ofDay.from())
        && rows.isExpired(tsuid, last)
        && rows.hasNone(tsuid, ofDay)) {
      return true;
    }
    if (!hours.mayHaveDrifted(ofDay.from())) {
      return false;
    }
    if (rows.isExpired(tsuid, ofDay.from())) {
      return true;
    }
    return rows.hasNone(tsuid, ofDay);
  }

  /** Whether a day's values are of more points than its hours: the clock may only be ahead. */
  private boolean isOfMorePoints(
      byte[] tsuid, RollupInterval interval, List<Row> fed, HourRange ofDay) {
    long first = interval.baseTime(ofDay.from());
    RolledValue present = new RolledValue();
    cells.sum(
        rows.values(interval, tsuid, first),
        index -> ofDay.contains(first + index * interval.seconds()),
        present,
        index -> {});
    RolledValue left = sum(fed, ofDay, ofDay, false);
    return present.points() > left.points();
  }

  /** The rows of the feeding interval that have values of a day, in order. */
  private List<Row> feedingRows(byte[] tsuid, Row row, HourRange ofDay) {
    RollupInterval feeding = plan.feeding();
    List<Row> fed = new ArrayList<>();
    for (long base = feeding.rowSpan().baseTime(ofDay.from());
        base < ofDay.until();
        base = feeding.rowSpan().next(base)) {
      fed.add(base == keys.baseTime(row.key()) ? row : rows.values(feeding, tsuid, base));
    }
    return fed;
  }

  /** The values of the intervals of a day, from rows of the feeding interval. */
  private List<Change> valuesOf(List<Row> fed, RollupInterval interval, HourRange ofDay) {
    List<Change> puts = new ArrayList<>();
    for (long start = ofDay.from(); start < ofDay.until(); start += interval.seconds()) {
      HourRange own = new HourRange(start, start + interval.seconds());
      cells.put(interval.index(start), sum(fed, ofDay, own, true), puts);
    }
    return puts;
  }

  /**
   * The sum of values in rows of the feeding interval.
   *
   * @param fed the rows of a day
   * @param range of the values
   * @param marks whether an hour whose value can't be decoded is rolled up again
   */
  private RolledValue sum(List<Row> fed, HourRange ofDay, HourRange range, boolean marks) {
    RollupInterval feeding = plan.feeding();
    RolledValue sum = new RolledValue();
    long base = feeding.rowSpan().baseTime(ofDay.from());
    for (Row each : fed) {
      long from = base;
      cells.sum(
          each,
          index -> range.contains(from + index * feeding.seconds()),
          sum,
          index -> {
            if (marks) {
              markCorrupt(each.key(), from + index * feeding.seconds());
            }
          });
      base = feeding.rowSpan().next(base);
    }
    return sum;
  }

  /** Has an hour rolled up again, and its day, as a value of it can't be decoded. */
  private void markCorrupt(byte[] values, long start) {
    long hour = start - start % Timestamps.ROW_SECONDS;
    hours.markRead(keys.rowKey(keys.tsuid(values), hour), Reason.CHANGED);
  }
}
