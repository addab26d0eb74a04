package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Change;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.rollup.MarkedHour.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rolled-up values of hours from their points, and writes them. For one thread at a
 * time.
 */
final class HourRoller {
  private static final int BATCH = 500;

  /**
   * What a row of points is rolled up to.
   *
   * @param cells of each of the plan's intervals of points
   * @param reason why the row stays marked; null if it need not be
   */
  private record OfRow(List<List<Change>> cells, @Nullable Reason reason) {}

  private final KeyValueReader points;
  private final KeyValueReader rollups;
  private final Family family;
  private final RowKey keys;
  private final RollupPlan plan;
  private final RolledHours hours;
  private final Predicate<byte[]> isExpired;
  private final RowDecoder decoder;
  private final IntervalCells cells;
  private final RolledWrites writes;
  private final IntConsumer pace;
  private long rows;

  /** Why a row that has changed could not be rolled up; null if all could. */
  private @Nullable StoreException unreadable;

  /**
   * @param points with those of open rows
   * @param family of rows of points
   * @param isExpired tests the key of a row of points
   * @param pace called with a number of rows that were read; may wait or throw
   */
  HourRoller(
      KeyValueReader points,
      KeyValueStore store,
      Family family,
      RowKey keys,
      RollupPlan plan,
      RolledHours hours,
      Predicate<byte[]> isExpired,
      DuplicatePolicy duplicates,
      IntConsumer pace) {
    this.points = points;
    this.rollups = store;
    this.family = family;
    this.keys = keys;
    this.plan = plan;
    this.hours = hours;
    this.isExpired = isExpired;
    this.decoder = new RowDecoder(duplicates, false);
    this.cells = new IntervalCells(plan.ids());
    this.writes = new RolledWrites(store, cells);
    this.pace = pace;
  }

  private Family familyOf(RollupInterval interval) {
    return new Family(interval.table(), family.name());
  }

  /** How often a row of rolled-up values was changed. */
  long written() {
    return writes.rows();
  }

  /** How many rows of points were read. */
  long rows() {
    return rows;
  }

  /**
   * Rolls up all rows of some hours of a day.
   *
   * @param replaces whether values of them may exist already
   */
  void roll(HourRange range, boolean replaces) {
    Columns columns = Columns.allAsStored();
    forEachRow(points, family, columns, range, row -> roll(row, replaces));
    writes.flush();
    if (replaces) {
      removeThoseWithoutPoints(range);
    }
  }

  /** Removes values of hours of which a series has no row any more. */
  private void removeThoseWithoutPoints(HourRange range) {
    for (RollupInterval interval : plan.ofPoints()) {
      forEachValueRow(
          interval,
          range,
          Timestamps.ROW_SECONDS,
          (tsuid, hour) -> {
            count();
            if (present(tsuid, hour).isEmpty()) {
              write(tsuid, hour, new OfRow(none(), null), true);
            }
          });
      writes.flush();
    }
  }

  /**
   * Calls back with each hour or day of which a series has values of an interval, unless its points
   * have expired: the values stay then.
   */
  private void forEachValueRow(
      RollupInterval interval, HourRange range, long unit, ObjLongConsumer<byte[]> action) {
    HourRange bases = new HourRange(interval.baseTime(range.from()), range.until());
    forEachRow(
        rollups,
        familyOf(interval),
        Columns.all(),
        bases,
        row -> {
          if (keys.isSeriesRow(row.key())) {
            byte[] tsuid = keys.tsuid(row.key());
            long base = keys.baseTime(row.key());
            for (long start : cells.starts(row, base, interval, unit)) {
              if (range.contains(start) && !isExpired.test(keys.rowKey(tsuid, start))) {
                action.accept(tsuid, start);
              }
            }
          }
        });
  }

  /** The rows of an hour of a series, in one bucket or several. */
  private List<Row> present(byte[] tsuid, long hour) {
    return points.get(family, keys.rowKeys(tsuid, hour), Columns.all()).stream()
        .filter(row -> !row.isEmpty())
        .toList();
  }

  /** Rolls up a day from what its hours were rolled up to. */
  void rollDay(long day, boolean replaces) {
    if (plan.ofDays().isEmpty()) {
      return;
    }
    RollupInterval feeding = plan.feeding();
    HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
    // A row of the feeding interval may be longer than the day, but it begins before its end.
    long first = feeding.rowSpan().baseTime(day);
    HourRange bases = new HourRange(first, day + RollupPlan.DAY);
    Columns all = Columns.all();
    forEachRow(rollups, familyOf(feeding), all, bases, row -> rollDay(row, ofDay, replaces));
    writes.flush();
    if (replaces) {
      rollDaysWithValues(ofDay);
    }
  }

  /** Rolls up the days of which there are values already: their hours may have none any more. */
  void rollDaysWithValues(HourRange days) {
    RollupInterval feeding = plan.feeding();
    for (RollupInterval interval : plan.ofDays()) {
      forEachValueRow(
          interval,
          days,
          RollupPlan.DAY,
          (tsuid, day) -> {
            byte[] key = keys.rowKey(tsuid, feeding.rowSpan().baseTime(day));
            Row row = rollups.get(familyOf(feeding), key, Columns.all());
            rollDay(row, new HourRange(day, day + RollupPlan.DAY), true);
          });
      writes.flush();
    }
  }

  /**
   * Rolls up a day of a series.
   *
   * @param row one of the rows of the feeding interval; may be empty
   */
  private void rollDay(Row row, HourRange ofDay, boolean replaces) {
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
    for (RollupInterval interval : plan.ofDays()) {
      long first = interval.baseTime(ofDay.from());
      byte[] target = keys.rowKey(tsuid, first);
      List<Change> puts = dayCells(fed, interval, ofDay);
      writes.write(
          familyOf(interval), target, puts, index -> isIn(interval, first, index, ofDay), replaces);
    }
  }

  /** The rows of the feeding interval that have values of a day, in order. */
  private List<Row> feedingRows(byte[] tsuid, Row row, HourRange ofDay) {
    RollupInterval feeding = plan.feeding();
    List<Row> fed = new ArrayList<>();
    for (long base = feeding.rowSpan().baseTime(ofDay.from());
        base < ofDay.until();
        base = feeding.rowSpan().next(base)) {
      fed.add(
          base == keys.baseTime(row.key())
              ? row
              : rollups.get(familyOf(feeding), keys.rowKey(tsuid, base), Columns.all()));
    }
    return fed;
  }

  private static boolean isIn(RollupInterval interval, long base, int index, HourRange range) {
    return range.contains(base + index * interval.seconds());
  }

  /** The values of the intervals of a day, from rows of the feeding interval. */
  private List<Change> dayCells(List<Row> fed, RollupInterval interval, HourRange ofDay) {
    RollupInterval feeding = plan.feeding();
    List<Change> puts = new ArrayList<>();
    for (long start = ofDay.from(); start < ofDay.until(); start += interval.seconds()) {
      HourRange own = new HourRange(start, start + interval.seconds());
      RolledValue value = new RolledValue();
      long base = feeding.rowSpan().baseTime(ofDay.from());
      for (Row each : fed) {
        long from = base;
        cells.sum(each, index -> isIn(feeding, from, index, own), value);
        base = feeding.rowSpan().next(base);
      }
      cells.put(interval.index(start), value, puts);
    }
    return puts;
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
    long[] first = {Timestamps.MAX_SECONDS};
    new SaltedMetrics(points, family, keys)
        .forEachFirst(
            Scan.all(),
            row -> {
              byte[] ofSeries = keys.isSeriesRow(row) ? row : firstOfSeries(row);
              if (ofSeries != null) {
                first[0] = Math.min(first[0], keys.baseTime(ofSeries));
              }
              return true;
            });
    return first[0];
  }

  /** The first row of a series that has the same salt and metric as another row. */
  private byte @Nullable [] firstOfSeries(byte[] other) {
    if (other.length < keys.schema().baseTimeOffset() || keys.isGlobalRow(other)) {
      return null;
    }
    byte[] prefix = Arrays.copyOf(other, keys.schema().baseTimeOffset());
    try (RowCursor cursor = points.scan(family, Scan.prefix(prefix).rowsPerFetch(10))) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        if (keys.isSeriesRow(row.key())) {
          return row.key();
        }
      }
    }
    return null;
  }

  private void count() {
    rows++;
    if (rows % BATCH == 0) {
      pace.accept(BATCH);
    }
  }

  private void roll(Row row, boolean replaces) {
    count();
    if (!keys.isSeriesRow(row.key())) {
      return;
    }
    byte[] tsuid = keys.tsuid(row.key());
    long hour = keys.baseTime(row.key());
    List<Row> ofHour = List.of(row);
    boolean isSalted = keys.schema().saltWidth() > 0;
    if (!keys.isInOwnBucket(row.key(), tsuid) || (replaces && isSalted)) {
      ofHour = present(tsuid, hour);
      if (replaces && (ofHour.isEmpty() || !Arrays.equals(ofHour.get(0).key(), row.key()))) {
        return; // the first of them was, with all others
      }
      if (ofHour.size() > 1 && !replaces) {
        hours.markRead(row.key(), Reason.CHANGED); // so it is rolled up again, with all of them
        return;
      }
    }
    OfRow rolled = rolled(ofHour, hour);
    if (rolled.reason() != null) {
      hours.markRead(row.key(), rolled.reason());
    }
    write(tsuid, hour, rolled, replaces);
  }

  private void write(byte[] tsuid, long hour, OfRow rolled, boolean replaces) {
    HourRange own = new HourRange(hour, hour + Timestamps.ROW_SECONDS);
    for (int i = 0; i < plan.ofPoints().size(); i++) {
      RollupInterval interval = plan.ofPoints().get(i);
      long base = interval.baseTime(hour);
      writes.write(
          familyOf(interval),
          keys.rowKey(tsuid, base),
          rolled.cells().get(i),
          index -> isIn(interval, base, index, own),
          replaces);
    }
  }

  /** What the rows of an hour of one series, in one bucket or several, are rolled up to. */
  private OfRow rolled(List<Row> ofHour, long hour) {
    Reason reason = null;
    decoder.start();
    try {
      for (Row row : ofHour) {
        for (int i = 0; i < row.size(); i++) {
          if (row.coded() != null && addCoded(row.coded(), row.writeTime(i))) {
            continue;
          }
          byte[] qualifier = row.qualifier(i);
          CellKind kind = CellKind.of(qualifier);
          if (kind.holdsPoints()) {
            var unused = decoder.add(qualifier, row.value(i), row.writeTime(i));
          } else if (kind == CellKind.ANNOTATION) {
            reason = Reason.ANNOTATIONS;
          }
        }
      }
      RowPoints of = decoder.finish();
      decoder.checkLengths(of);
      List<List<Change>> values = new ArrayList<>();
      for (RollupInterval interval : plan.ofPoints()) {
        List<Change> puts = valuesOf(of, hour, interval);
        if (puts == null) {
          return withoutValues();
        }
        values.add(puts);
      }
      return new OfRow(values, reason);
    } catch (CorruptDataException e) {
      return withoutValues(); // who reads it gets the error
    }
  }

  private OfRow withoutValues() {
    return new OfRow(none(), Reason.POINTS);
  }

  private List<List<Change>> none() {
    return plan.ofPoints().stream().map(each -> List.<Change>of()).toList();
  }

  /** Takes a cell's points from its coded form, and returns whether it could. */
  private boolean addCoded(CodedCell cell, long writeTime) {
    try {
      return cell.codec().equals(CodedPoints.NAME)
          && decoder.add(
              into -> CodedPoints.addPoints(cell.bytes(), cell.start(), into), writeTime);
    } catch (IllegalArgumentException e) {
      return false; // its bytes are those of a corrupt cell
    }
  }

  /** The values of an interval in an hour; null if some are no finite numbers. */
  private @Nullable List<Change> valuesOf(RowPoints of, long hour, RollupInterval interval) {
    List<Change> puts = new ArrayList<>();
    RolledValue value = new RolledValue();
    long millis = interval.seconds() * 1000;
    int i = 0;
    while (i < of.size()) {
      long start = of.offset(i) - of.offset(i) % millis;
      value.clear();
      for (; i < of.size() && of.offset(i) < start + millis; i++) {
        value.add(of.isFloat(i), of.raw(i), of.toDouble(i));
      }
      if (!value.isFinite()) {
        return null;
      }
      cells.put(interval.index(hour + start / 1000), value, puts);
    }
    return puts;
  }

  /**
   * Rolls rows up again that have changed. One that can't be does not keep the others from it: see
   * {@link #throwUnreadable}.
   *
   * @param done the hours that are rolled up; marks of others stay, as it may have been stored that
   *     these are done, too, although the store failed
   */
  void rollAgain(List<MarkedHour> changed, HourRange done) {
    for (MarkedHour marked : changed) {
      if (done.contains(hours.baseTime(marked.row()))) {
        count();
        try {
          rollAgain(marked, done);
        } catch (StoreException e) {
          if (e.outcome() != Outcome.REJECTED) {
            throw e;
          }
          unreadable = e; // its values, such as corrupt ones; the row stays marked
        }
      }
    }
  }

  private void rollAgain(MarkedHour marked, HourRange done) {
    byte[] tsuid = hours.tsuid(marked.row());
    long hour = hours.baseTime(marked.row());
    Reason left = null;
    if (!isExpired.test(keys.rowKey(tsuid, hour))) {
      OfRow rolled = rolled(points.get(family, keys.rowKeys(tsuid, hour), Columns.all()), hour);
      write(tsuid, hour, rolled, true);
      writes.flush();
      rollDayAgain(tsuid, hour, done);
      left = rolled.reason();
    }
    boolean unused = hours.settle(marked, left);
  }

  /**
   * Fails if a row that has changed could not be rolled up.
   *
   * @throws StoreException the reason
   */
  void throwUnreadable() {
    if (unreadable != null) {
      throw unreadable;
    }
  }

  private void rollDayAgain(byte[] tsuid, long hour, HourRange done) {
    long day = hour - hour % RollupPlan.DAY;
    HourRange ofDay = new HourRange(day, day + RollupPlan.DAY);
    if (plan.ofDays().isEmpty() || !ofDay.within(done).equals(ofDay)) {
      return;
    }
    RollupInterval feeding = plan.feeding();
    long first = feeding.rowSpan().baseTime(day);
    byte[] key = keys.rowKey(tsuid, first);
    rollDay(rollups.get(familyOf(feeding), key, Columns.all()), ofDay, true);
    writes.flush();
  }
}
