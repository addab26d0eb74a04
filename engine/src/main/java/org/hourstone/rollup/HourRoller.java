package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.MarkedHour.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rolled-up values of hours from their points, and writes them. For one thread at a
 * time.
 */
final class HourRoller {
  private static final int BATCH = 500;

  /** What a row of points is rolled up to. */
  private static final class OfRow {
    final Map<RollupInterval, List<Change>> cells = new LinkedHashMap<>();
    @Nullable Reason reason;
  }

  private final KeyValueReader points;
  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final RollupPlan plan;
  private final RolledHours hours;
  private final Predicate<byte[]> isExpired;
  private final RowDecoder decoder;
  private final IntervalCells cells;
  private final IntConsumer pace;

  /** The changes of rows that are not written yet; of one row together. */
  private final Map<Family, Map<Bytes, List<Change>>> batches = new LinkedHashMap<>();

  private long rows;
  private long written;

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
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.plan = plan;
    this.hours = hours;
    this.isExpired = isExpired;
    this.decoder = new RowDecoder(duplicates, false);
    this.cells = new IntervalCells(plan.ids());
    this.pace = pace;
  }

  private Family familyOf(RollupInterval interval) {
    return new Family(interval.table(), family.name());
  }

  /** How often a row of rolled-up values was changed. */
  long written() {
    return written;
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
    forEachRow(points, family, range, row -> roll(row, replaces));
    flush();
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
    forEachRow(store, familyOf(feeding), bases, row -> rollDay(row, ofDay, replaces));
    flush();
  }

  private void rollDay(Row row, HourRange ofDay, boolean replaces) {
    if (!keys.isSeriesRow(row.key())) {
      return;
    }
    byte[] tsuid = keys.tsuid(row.key());
    for (RollupInterval interval : plan.ofDays()) {
      long first = interval.baseTime(ofDay.from());
      byte[] target = keys.rowKey(tsuid, first);
      List<Change> puts = dayCells(tsuid, row, interval, ofDay);
      write(interval, target, puts, index -> isIn(interval, first, index, ofDay), replaces);
    }
  }

  private static boolean isIn(RollupInterval interval, long base, int index, HourRange range) {
    return range.contains(base + index * interval.seconds());
  }

  /**
   * The values of the intervals of a day.
   *
   * @param row one of the rows of the feeding interval; the day's others are read if it is shorter
   */
  private List<Change> dayCells(byte[] tsuid, Row row, RollupInterval interval, HourRange ofDay) {
    RollupInterval feeding = plan.feeding();
    List<Row> fed = new ArrayList<>();
    for (long base = feeding.rowSpan().baseTime(ofDay.from());
        base < ofDay.until();
        base = feeding.rowSpan().next(base)) {
      fed.add(
          base == keys.baseTime(row.key())
              ? row
              : store.get(familyOf(feeding), keys.rowKey(tsuid, base), Columns.all()));
    }
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
  private void forEachRow(KeyValueReader reader, Family of, HourRange range, Consumer<Row> action) {
    int prefixLength = keys.schema().baseTimeOffset();
    byte @Nullable [] start = new byte[0];
    while (start != null) {
      byte[] first = firstKey(reader, of, start);
      if (first == null) {
        return;
      }
      start = Arrays.copyOf(first, first.length + 1);
      if (first.length > prefixLength) {
        byte[] prefix = Arrays.copyOf(first, prefixLength);
        Scan scan = Scan.range(bound(prefix, range.from()), bound(prefix, range.until()));
        try (RowCursor cursor = reader.scan(of, scan)) {
          for (Row row = cursor.next(); row != null; row = cursor.next()) {
            action.accept(row);
          }
        }
        start = Scan.prefix(prefix).stop();
      }
    }
  }

  private static byte @Nullable [] firstKey(KeyValueReader reader, Family of, byte[] start) {
    try (RowCursor cursor = reader.scan(of, Scan.range(start, null).limit(1).rowsPerFetch(1))) {
      Row row = cursor.next();
      return row == null ? null : row.key();
    }
  }

  private byte[] bound(byte[] prefix, long baseTime) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + Schema.BASE_TIME_WIDTH);
    if (baseTime > 0xFFFF_FFFFL) {
      Arrays.fill(key, prefix.length, key.length, (byte) 0xFF);
    } else {
      keys.setBaseTime(key, baseTime);
    }
    return key;
  }

  /** The first hour that has a row; the end of time if none has. */
  long firstHour() {
    long[] first = {Timestamps.MAX_SECONDS};
    int prefixLength = keys.schema().baseTimeOffset();
    byte @Nullable [] start = new byte[0];
    while (start != null) {
      byte[] key = firstKey(points, family, start);
      if (key == null) {
        return first[0];
      }
      start = Arrays.copyOf(key, key.length + 1);
      if (key.length >= keys.schema().tagsOffset()) {
        if (keys.isSeriesRow(key)) {
          first[0] = Math.min(first[0], keys.baseTime(key));
        }
        start = Scan.prefix(Arrays.copyOf(key, prefixLength)).stop();
      }
    }
    return first[0];
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
    OfRow rolled =
        keys.isInOwnBucket(row.key(), tsuid)
            ? rolled(List.of(row), hour)
            : rolled(points.get(family, keys.rowKeys(tsuid, hour), Columns.all()), hour);
    if (rolled.reason != null) {
      hours.markRead(row.key(), rolled.reason);
    }
    write(tsuid, hour, rolled, replaces);
  }

  private void write(byte[] tsuid, long hour, OfRow rolled, boolean replaces) {
    HourRange own = new HourRange(hour, hour + Timestamps.ROW_SECONDS);
    for (RollupInterval interval : plan.ofPoints()) {
      long base = interval.baseTime(hour);
      List<Change> puts = rolled.cells.getOrDefault(interval, List.of());
      write(
          interval,
          keys.rowKey(tsuid, base),
          puts,
          index -> isIn(interval, base, index, own),
          replaces);
    }
  }

  private void write(
      RollupInterval interval,
      byte[] row,
      List<Change> puts,
      IntPredicate intervals,
      boolean replaces) {
    Family of = familyOf(interval);
    List<Change> changes =
        replaces ? cells.replacing(store.get(of, row, Columns.all()), intervals, puts) : puts;
    if (changes.isEmpty()) {
      return;
    }
    written++;
    Map<Bytes, List<Change>> batch = batches.computeIfAbsent(of, k -> new LinkedHashMap<>());
    batch.computeIfAbsent(new Bytes(row), k -> new ArrayList<>()).addAll(changes);
    if (batch.size() >= BATCH) {
      flush(of, batch);
    }
  }

  private void flush() {
    batches.forEach(this::flush);
  }

  private void flush(Family of, Map<Bytes, List<Change>> batch) {
    if (!batch.isEmpty()) {
      List<RowMutation> mutations = new ArrayList<>(batch.size());
      batch.forEach((row, changes) -> mutations.add(new RowMutation(row.array(), changes)));
      store.mutate(of, mutations);
      batch.clear();
    }
  }

  /** What the rows of an hour of one series, in one bucket or several, are rolled up to. */
  private OfRow rolled(List<Row> ofHour, long hour) {
    OfRow rolled = new OfRow();
    decoder.start();
    try {
      for (Row row : ofHour) {
        for (int i = 0; i < row.size(); i++) {
          byte[] qualifier = row.qualifier(i);
          CellKind kind = CellKind.of(qualifier);
          if (kind.holdsPoints()) {
            var unused = decoder.add(qualifier, row.value(i), row.writeTime(i));
          } else if (kind == CellKind.ANNOTATION) {
            rolled.reason = Reason.ANNOTATIONS;
          }
        }
      }
      roll(decoder.finish(), hour, rolled);
    } catch (CorruptDataException e) {
      rolled.cells.clear();
      rolled.reason = Reason.POINTS; // who reads it gets the error
    }
    return rolled;
  }

  private void roll(RowPoints of, long hour, OfRow into) {
    for (RollupInterval interval : plan.ofPoints()) {
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
          into.cells.clear();
          into.reason = Reason.POINTS;
          return;
        }
        cells.put(interval.index(hour + start / 1000), value, puts);
      }
      into.cells.put(interval, puts);
    }
  }

  /**
   * Rolls rows up again that have changed.
   *
   * @param done the hours that are rolled up; of others only the mark is removed
   */
  void rollAgain(List<MarkedHour> changed, HourRange done) {
    for (MarkedHour marked : changed) {
      count();
      byte[] tsuid = hours.tsuid(marked.row());
      long hour = hours.baseTime(marked.row());
      boolean isLeft = !done.contains(hour) || isExpired.test(keys.rowKey(tsuid, hour));
      Reason left = null;
      if (!isLeft) {
        OfRow rolled = rolled(points.get(family, keys.rowKeys(tsuid, hour), Columns.all()), hour);
        write(tsuid, hour, rolled, true);
        flush();
        rollDayAgain(tsuid, hour, done);
        left = rolled.reason;
      }
      boolean unused = hours.settle(marked, left);
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
    rollDay(store.get(familyOf(feeding), key, Columns.all()), ofDay, true);
    flush();
  }
}
