package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** Finds the rows of points, and of values that they were rolled up to, by their hours. */
final class RollupRows {
  private final KeyValueReader points;
  private final KeyValueReader rollups;
  private final Family family;
  private final RowKey keys;
  private final IntervalCells cells;
  private final RolledHours hours;
  private final Predicate<byte[]> isExpired;

  /**
   * @param points with those of open rows, and with those that have expired and are not deleted:
   *     they may be returned again, if a rule changes or the clock was wrong
   * @param rollups where rolled-up values are stored
   * @param family of rows of points
   * @param duplicates which of several values of an interval counts
   * @param isExpired tests the key of a row of points: if it has, and is deleted, its values stay
   */
  RollupRows(
      KeyValueReader points,
      KeyValueReader rollups,
      Family family,
      RowKey keys,
      RollupPlan plan,
      RolledHours hours,
      DuplicatePolicy duplicates,
      Predicate<byte[]> isExpired) {
    this.points = points;
    this.rollups = rollups;
    this.family = family;
    this.keys = keys;
    this.cells = new IntervalCells(plan.ids(), duplicates);
    this.hours = hours;
    this.isExpired = isExpired;
  }

  RowKey keys() {
    return keys;
  }

  IntervalCells cells() {
    return cells;
  }

  Family familyOf(RollupInterval interval) {
    return new Family(interval.table(), family.name());
  }

  /** The row of an interval that has values of a series from a base time on; may be empty. */
  Row values(RollupInterval interval, byte[] tsuid, long base) {
    return rollups.get(familyOf(interval), keys.rowKey(tsuid, base), Columns.all());
  }

  /** Calls back with the rows of points of some hours. */
  void forEachOfPoints(HourRange range, Consumer<Row> action) {
    forEachRow(points, family, Columns.allAsStored(), range, action);
  }

  /** Calls back with the rows of values of an interval whose base times are in a range. */
  void forEachOfValues(RollupInterval interval, HourRange bases, Consumer<Row> action) {
    forEachRow(rollups, familyOf(interval), Columns.all(), bases, action);
  }

  /** Calls back with all rows of an interval, also those whose keys are not of series. */
  void forEachAsStored(RollupInterval interval, Consumer<Row> action) {
    try (RowCursor cursor = rollups.scan(familyOf(interval), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        action.accept(row);
      }
    }
  }

  /**
   * Calls back with each hour or day of which a series has values of an interval, unless its points
   * may have been deleted as expired: the values stay then. What else deletes points has marked
   * them.
   */
  void forEachValue(
      RollupInterval interval, HourRange range, long unit, ObjLongConsumer<byte[]> action) {
    HourRange bases = new HourRange(interval.baseTime(range.from()), range.until());
    forEachOfValues(
        interval,
        bases,
        row -> {
          if (keys.isSeriesRow(row.key())) {
            byte[] tsuid = keys.tsuid(row.key());
            long base = keys.baseTime(row.key());
            for (long start : cells.starts(row, base, interval, unit)) {
              if (range.contains(start) && !staysWithoutPoints(tsuid, start)) {
                action.accept(tsuid, start);
              }
            }
          }
        });
  }

  /**
   * Whether values stay although there are no points. The clock alone does not tell, as it may be
   * ahead: points that nothing has deleted as expired were deleted by someone.
   */
  boolean staysWithoutPoints(byte[] tsuid, long start) {
    return hours.mayHaveExpired(start) || (hours.mayBeOfOthers() && isExpired(tsuid, start));
  }

  /** The rows of an hour of a series, in one bucket or several; may be empty. */
  List<Row> ofHour(byte[] tsuid, long hour) {
    return points.get(family, keys.rowKeys(tsuid, hour), Columns.all());
  }

  /** Those that have a cell. */
  List<Row> present(byte[] tsuid, long hour) {
    return ofHour(tsuid, hour).stream().filter(row -> !row.isEmpty()).toList();
  }

  /** Whether a row of points has expired. */
  boolean isExpired(byte[] tsuid, long hour) {
    return isExpired.test(keys.rowKey(tsuid, hour));
  }

  /**
   * Whether a series has no row of points in some hours, and values must not stay for that. Their
   * points may expire at the same time: that is noted before they are deleted, so the rows are read
   * first.
   */
  boolean isWithoutPoints(byte[] tsuid, HourRange range) {
    return hasNone(tsuid, range) && !staysWithoutPoints(tsuid, range.from());
  }

  /** Whether a series has no row of points in some hours. */
  boolean hasNone(byte[] tsuid, HourRange range) {
    List<byte[]> rows = new ArrayList<>();
    range.starts().forEach(hour -> rows.addAll(keys.rowKeys(tsuid, hour)));
    return points.get(family, rows, Columns.allAsStored()).stream().allMatch(Row::isEmpty);
  }

  /** Calls back with the rows of some hours, salt by salt and metric by metric. */
  private void forEachRow(
      KeyValueReader reader, Family of, Columns columns, HourRange range, Consumer<Row> action) {
    new SaltedMetrics(reader, of, keys)
        .forEach(
            Scan.all(),
            tooShort -> {},
            prefix -> {
              byte[] first = SaltedMetrics.hour(keys, prefix, range.from());
              byte[] stop = SaltedMetrics.hour(keys, prefix, range.until());
              try (RowCursor cursor = reader.scan(of, Scan.range(first, stop).columns(columns))) {
                for (Row row = cursor.next(); row != null; row = cursor.next()) {
                  action.accept(row);
                }
              }
              return true;
            });
  }

  /** The first hour that has a row; the end of time if none has. */
  long firstHour() {
    return firstHour(points, family);
  }

  /** The first base time of a row of an interval; the end of time if it has none. */
  long firstHourOf(RollupInterval interval) {
    return firstHour(rollups, familyOf(interval));
  }

  private long firstHour(KeyValueReader reader, Family of) {
    long[] first = {Timestamps.MAX_SECONDS};
    new SaltedMetrics(reader, of, keys)
        .forEachFirst(
            Scan.all(),
            row -> {
              byte[] ofSeries = keys.isSeriesRow(row) ? row : firstOfSeries(reader, of, row);
              if (ofSeries != null) {
                first[0] = Math.min(first[0], keys.baseTime(ofSeries));
              }
              return true;
            });
    return first[0];
  }

  /** The first row of a series that has the same salt and metric as another row. */
  private byte @Nullable [] firstOfSeries(KeyValueReader reader, Family of, byte[] other) {
    if (other.length < keys.schema().baseTimeOffset() || keys.isGlobalRow(other)) {
      return null;
    }
    byte[] prefix = Arrays.copyOf(other, keys.schema().baseTimeOffset());
    try (RowCursor cursor = reader.scan(of, Scan.prefix(prefix).rowsPerFetch(10))) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        if (keys.isSeriesRow(row.key())) {
          return row.key();
        }
      }
    }
    return null;
  }
}
