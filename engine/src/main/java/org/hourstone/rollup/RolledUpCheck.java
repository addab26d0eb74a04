package org.hourstone.rollup;

import java.time.Instant;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/**
 * Finds rolled-up values and marks that must not be there, without computing any value. Changes
 * nothing. Not thread-safe.
 *
 * <p>Points may be deleted and rolled up while it reads: before they are deleted their row is
 * marked, and the values are removed before the mark is. So values without points are wrong only if
 * there is no mark, and then the values are still there.
 */
public final class RolledUpCheck {
  private final RollupPlan plan;
  private final RolledHours hours;
  private final RollupRows rows;
  private final RowKey keys;
  private final IntervalCells cells;
  private final Runnable beforeRow;
  private final Consumer<Flaw> found;

  /** What is wrong. */
  public enum Kind {
    /** A row or a value can't be decoded. */
    CORRUPT,
    /** There are values of an hour or a day, but no points that were rolled up to them. */
    WITHOUT_POINTS,
    /** A mark is of no row of points. */
    STRAY_MARK
  }

  /**
   * A row that is wrong.
   *
   * @param table which has it
   * @param row its key; for a mark that of the row of points
   * @param qualifier of the cell; null if it is not about a cell
   */
  public record Flaw(
      Kind kind, String table, byte[] row, byte @Nullable [] qualifier, String text) {}

  RolledUpCheck(
      RollupPlan plan,
      RolledHours hours,
      RollupRows rows,
      Runnable beforeRow,
      Consumer<Flaw> found) {
    this.plan = plan;
    this.hours = hours;
    this.rows = rows;
    this.keys = rows.keys();
    this.cells = rows.cells();
    this.beforeRow = beforeRow;
    this.found = found;
  }

  /**
   * Checks all.
   *
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  void run() {
    for (RollupInterval interval : plan.longestFirst()) {
      boolean isOfDays = plan.ofDays().contains(interval);
      rows.forEachAsStored(
          interval,
          row -> {
            beforeRow.run();
            check(interval, row, isOfDays ? RollupPlan.DAY : Timestamps.ROW_SECONDS);
          });
    }
    hours.forEachMark(this::check);
  }

  private void check(RollupInterval interval, Row row, long unit) {
    if (!keys.isSeriesRow(row.key())) {
      found(
          Kind.CORRUPT,
          interval,
          row,
          null,
          "a key of %d bytes in %s".formatted(row.key().length, interval.table()));
      return;
    }
    for (int i = 0; i < row.size(); i++) {
      byte[] qualifier = row.qualifier(i);
      if (cells.isOurs(qualifier) && !cells.isNumber(qualifier, row.value(i))) {
        int length = Qualifier.valueLength(RollupQualifier.flags(qualifier));
        String text =
            row.value(i).length == length
                ? "a value of %d bytes that is no number, or no whole count".formatted(length)
                : "%d bytes of a value of %d".formatted(row.value(i).length, length);
        found(Kind.CORRUPT, interval, row, qualifier, text + " in " + interval.table());
      }
    }
    long base = keys.baseTime(row.key());
    byte[] tsuid = keys.tsuid(row.key());
    SortedSet<Long> without = cells.starts(row, base, interval, unit);
    without.removeIf(start -> !isWithoutPoints(tsuid, new HourRange(start, start + unit)));
    if (!without.isEmpty()) {
      without.retainAll(cells.starts(rows.values(interval, tsuid, base), base, interval, unit));
    }
    for (long start : without) {
      String text = "values in %s of no points".formatted(interval.table());
      found(Kind.WITHOUT_POINTS, interval, row, null, text + " at " + Instant.ofEpochSecond(start));
    }
  }

  /** Hours that are not done are not read from values. */
  private boolean isWithoutPoints(byte[] tsuid, HourRange range) {
    return range.within(hours.done()).equals(range)
        && rows.isWithoutPoints(tsuid, range)
        && range.starts().noneMatch(hour -> hours.isMarked(keys.rowKey(tsuid, hour)));
  }

  private void check(MarkedHour mark) {
    beforeRow.run();
    byte[] row = hours.salted(mark.row());
    if (!keys.isSeriesRow(row)) {
      found.accept(new Flaw(Kind.STRAY_MARK, hours.table(), row, null, "a mark of no row"));
    } else if (mark.isStray(rows.ofHour(keys.tsuid(row), keys.baseTime(row)))) {
      String text = "a mark (%s) of a row that has no cells".formatted(mark.reason());
      found.accept(new Flaw(Kind.STRAY_MARK, hours.table(), row, null, text));
    }
  }

  private void found(
      Kind kind, RollupInterval interval, Row row, byte @Nullable [] qualifier, String text) {
    found.accept(new Flaw(kind, interval.table(), row.key(), qualifier, text));
  }
}
