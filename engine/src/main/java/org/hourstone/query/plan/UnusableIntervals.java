package org.hourstone.query.plan;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.query.rows.RolledPart;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/** Finds the intervals of a rolled-up part that must be computed from points. Used once. */
final class UnusableIntervals {
  /** How many rows are computed from points at most, in place of rolled-up values, if all are. */
  private static final int MOST_ROWS = 20_000;

  /** Approximate memory of a row, and of each of its intervals. */
  private static final long ROW_BYTES = 300;

  private static final long INTERVAL_BYTES = 64;

  private final Plan plan;
  private final RolledPart part;
  private final OwnRollups own;
  private final MemoryLease memory;
  private final int most;
  private final SortedMap<Bytes, SortedSet<Long>> found = new TreeMap<>();
  private final SortedMap<Bytes, SortedSet<Long>> annotated = new TreeMap<>();
  private int rows;

  private UnusableIntervals(
      Plan plan, RolledPart part, OwnRollups own, MemoryLease memory, int most) {
    this.plan = plan;
    this.part = part;
    this.own = own;
    this.memory = memory;
    this.most = most;
  }

  /**
   * The part of the hours that is read from rollups, with its intervals that must be computed from
   * points. If too many must be, it is the part whose points may have expired, which can't stand
   * for what is rolled up; if that has too many as well, the memory of the query limits them.
   *
   * @param memory of what is found
   * @param check ends the search if it throws
   * @return null if all hours are better read from points
   */
  static @Nullable RolledPart of(
      Plan plan, RolledPart part, OwnRollups own, MemoryLease memory, Runnable check) {
    MemoryLease ofAll = memory.child();
    UnusableIntervals all = new UnusableIntervals(plan, part, own, ofAll, MOST_ROWS);
    if (all.find(check)) {
      return part.with(all.found, all.annotated);
    }
    ofAll.close();
    HourRange expiring = expiring(plan, part, own);
    if (expiring.isEmpty()) {
      return null;
    }
    RolledPart old = part.within(expiring);
    UnusableIntervals ofOld = new UnusableIntervals(plan, old, own, memory, Integer.MAX_VALUE);
    boolean unused = ofOld.find(check);
    return old.with(ofOld.found, ofOld.annotated);
  }

  /** The hours of which points may have expired, or have been deleted because they had. */
  static HourRange expiring(Plan plan, RolledPart part, OwnRollups own) {
    long unit = Math.max(part.interval().seconds(), Timestamps.ROW_SECONDS);
    long before =
        Math.max(
            own.hours().expiredBefore(),
            own.expired().mayContainBefore(plan.series().metric()) + Timestamps.ROW_SECONDS);
    return part.hours().within(new HourRange(0, before + Math.floorMod(-before, unit)));
  }

  /** Returns false if there are too many. */
  private boolean find(Runnable check) {
    return own.hours()
        .forEachUnusable(
            plan.series().metric(),
            part.hours(),
            unsalted -> own.expired().contain(salted(unsalted)),
            check,
            unsalted -> add(salted(unsalted)),
            unsalted -> addAnnotated(salted(unsalted)));
  }

  private boolean add(byte[] row) {
    long hour = plan.keys().baseTime(row);
    long length = part.interval().seconds();
    SortedSet<Long> intervals = starts(found, row, Math.max(1, Timestamps.ROW_SECONDS / length));
    if (intervals == null) {
      return false;
    }
    for (long start = hour - hour % length;
        start < hour + Timestamps.ROW_SECONDS;
        start += length) {
      intervals.add(start);
    }
    return true;
  }

  /** The value of its interval is the stored one: points of its hours may have been deleted. */
  private boolean addAnnotated(byte[] row) {
    if (!plan.query().source().annotations() || own.expired().contain(row)) {
      return true;
    }
    SortedSet<Long> hours = starts(annotated, row, 1);
    return hours != null && hours.add(plan.keys().baseTime(row));
  }

  /** Those found for the row of rolled-up values that a row of points is in; null if too many. */
  private @Nullable SortedSet<Long> starts(
      SortedMap<Bytes, SortedSet<Long>> of, byte[] row, long more) {
    if (rows == most) {
      return null;
    }
    rows++;
    memory.grow(ROW_BYTES + INTERVAL_BYTES * more);
    RowKey keys = plan.keys();
    byte[] values = row.clone();
    keys.setBaseTime(values, part.interval().baseTime(keys.baseTime(row)));
    int salt = keys.schema().saltWidth();
    return of.computeIfAbsent(
        new Bytes(Arrays.copyOfRange(values, salt, values.length)), k -> new TreeSet<>());
  }

  private byte[] salted(byte[] unsalted) {
    return salted(unsalted, plan.keys().schema().saltWidth());
  }

  static byte[] salted(byte[] unsalted, int salt) {
    byte[] row = new byte[salt + unsalted.length];
    System.arraycopy(unsalted, 0, row, salt, unsalted.length);
    return row;
  }
}
