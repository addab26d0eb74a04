package org.hourstone.rollup;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.rollup.MarkedHour.Reason;

/**
 * Computes the rolled-up values of hours from their points, and writes them. For one thread at a
 * time.
 */
final class HourRoller {
  private static final int BATCH = 500;

  private final RollupRows rows;
  private final RowKey keys;
  private final RollupPlan plan;
  private final RolledHours hours;
  private final HourValues values;
  private final RolledWrites writes;
  private final DayRoller days;
  private final IntConsumer pace;
  private final UnreadableRows unreadable = new UnreadableRows();
  private long read;
  private long paced;
  private long removed;

  /**
   * @param store where rolled-up values are stored
   * @param pace called with a number of rows that were read; may wait or throw
   */
  HourRoller(
      RollupRows rows,
      KeyValueStore store,
      RollupPlan plan,
      RolledHours hours,
      DuplicatePolicy duplicates,
      IntConsumer pace) {
    IntervalCells cells = rows.cells();
    this.rows = rows;
    this.keys = rows.keys();
    this.plan = plan;
    this.hours = hours;
    this.values = new HourValues(plan, cells, duplicates);
    this.writes = new RolledWrites(store, cells);
    this.days = new DayRoller(rows, keys, plan, hours, cells, writes, unreadable, this::pace);
    this.pace = pace;
  }

  /** For the days of these hours. */
  DayRoller days() {
    return days;
  }

  /** The first hour that has a row of points; the end of time if none has. */
  long firstHour() {
    return rows.firstHour();
  }

  /** The first hour of which rows may have rolled-up values; the end of time if none has. */
  long firstHourOfValues() {
    return plan.longestFirst().stream()
        .mapToLong(rows::firstHourOf)
        .min()
        .orElse(Timestamps.MAX_SECONDS);
  }

  /** How often a row of rolled-up values was changed. */
  long written() {
    return writes.rows();
  }

  /** How many hours lost the values that a series had of them, as it had no points. */
  long removed() {
    return removed;
  }

  /** How many rows of points were read. */
  long rows() {
    return read;
  }

  /**
   * Rolls up all rows of some hours of a day. One whose values can't be read is marked, and does
   * not keep the others from it: see {@link #throwUnreadable}.
   *
   * @param replaces whether values of them may exist already
   */
  void roll(HourRange range, boolean replaces) {
    rows.forEachOfPoints(range, row -> rollOrMark(row, replaces));
    writes.flush();
    if (replaces) {
      removeThoseWithoutPoints(range);
    }
  }

  /** Removes values of hours of which a series has no row any more. */
  private void removeThoseWithoutPoints(HourRange range) {
    for (RollupInterval interval : plan.ofPoints()) {
      rows.forEachValue(
          interval,
          range,
          Timestamps.ROW_SECONDS,
          (tsuid, hour) -> {
            count();
            if (rows.isWithoutPoints(tsuid, new HourRange(hour, hour + Timestamps.ROW_SECONDS))) {
              long before = writes.rows();
              if (!unreadable.pass(() -> write(tsuid, hour, values.none(), true))) {
                hours.markRead(keys.rowKey(tsuid, hour), Reason.CHANGED);
              }
              removed += writes.rows() > before ? 1 : 0;
            }
          });
      writes.flush();
    }
  }

  private void count() {
    read++;
    pace();
  }

  /** One more row was read, of points or of values. */
  private void pace() {
    paced++;
    if (paced % BATCH == 0) {
      pace.accept(BATCH);
    }
  }

  private void rollOrMark(Row row, boolean replaces) {
    count();
    if (!unreadable.pass(() -> roll(row, replaces))) {
      hours.markRead(row.key(), Reason.CHANGED);
    }
  }

  private void roll(Row row, boolean replaces) {
    if (!keys.isSeriesRow(row.key())) {
      return;
    }
    byte[] tsuid = keys.tsuid(row.key());
    long hour = keys.baseTime(row.key());
    List<Row> ofHour = List.of(row);
    boolean isSalted = keys.schema().saltWidth() > 0;
    if (!keys.isInOwnBucket(row.key(), tsuid) || (replaces && isSalted)) {
      ofHour = rows.present(tsuid, hour);
      if (replaces && (ofHour.isEmpty() || !Arrays.equals(ofHour.get(0).key(), row.key()))) {
        return; // the first of them was, with all others
      }
      if (ofHour.size() > 1 && !replaces) {
        hours.markRead(row.key(), Reason.CHANGED); // so it is rolled up again, with all of them
        return;
      }
    }
    HourValues.Rolled rolled = values.of(ofHour, hour);
    if (rolled.reason() != null) {
      hours.markRead(row.key(), rolled.reason());
    }
    if (!replaces || !stays(rolled, tsuid, hour)) {
      write(tsuid, hour, rolled, replaces);
    }
  }

  /** Whether the values of an hour are all that is left of its points. */
  private boolean stays(HourValues.Rolled rolled, byte[] tsuid, long hour) {
    return rolled.isOfNoPoints() && rows.staysWithoutPoints(tsuid, hour);
  }

  private void write(byte[] tsuid, long hour, HourValues.Rolled rolled, boolean replaces) {
    HourRange own = new HourRange(hour, hour + Timestamps.ROW_SECONDS);
    for (int i = 0; i < plan.ofPoints().size(); i++) {
      RollupInterval interval = plan.ofPoints().get(i);
      long base = interval.baseTime(hour);
      writes.write(
          rows.familyOf(interval),
          keys.rowKey(tsuid, base),
          rolled.cells().get(i),
          index -> own.contains(base + index * interval.seconds()),
          replaces);
    }
  }

  /**
   * Rolls rows up again that have changed. One that can't be does not keep the others from it: see
   * {@link #throwUnreadable}.
   *
   * @param done the hours that are rolled up
   */
  void rollAgain(List<MarkedHour> changed, HourRange done) {
    for (MarkedHour marked : changed) {
      if (done.contains(hours.baseTime(marked.row()))) {
        count();
        boolean unused = unreadable.pass(() -> rollAgain(marked, done)); // or it stays marked
      }
    }
  }

  /**
   * Has a row that has no cells rolled up again, though its mark says that it can't be; removes a
   * mark of no row.
   */
  void rollIfStray(MarkedHour marked) {
    byte[] row = hours.salted(marked.row());
    count();
    if (!keys.isSeriesRow(row)) {
      boolean unused = hours.settle(marked, null);
    } else if (marked.isStray(rows.ofHour(keys.tsuid(row), keys.baseTime(row)))) {
      boolean unused = hours.settle(marked, Reason.CHANGED);
    }
  }

  private void rollAgain(MarkedHour marked, HourRange done) {
    byte[] tsuid = hours.tsuid(marked.row());
    long hour = hours.baseTime(marked.row());
    HourValues.Rolled rolled = values.of(rows.ofHour(tsuid, hour), hour);
    boolean isDeletion = marked.reason() == Reason.DELETED;
    if (isDeletion || !stays(rolled, tsuid, hour)) {
      write(tsuid, hour, rolled, true);
      writes.flush();
      days.rollAgain(tsuid, hour, done, isDeletion);
    }
    boolean unused = hours.settle(marked, rolled.reason());
  }

  /**
   * Fails if a row could not be rolled up.
   *
   * @throws org.hourstone.kv.StoreException the reason
   */
  void throwUnreadable() {
    unreadable.throwLast();
  }
}
