package org.hourstone;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.codec.RowKey;
import org.hourstone.head.Announcements;
import org.hourstone.head.Head;
import org.hourstone.index.SeriesIndex;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.retention.ExpiringPoints;
import org.hourstone.retention.Retention;
import org.hourstone.rollup.ExpiredRows;
import org.hourstone.rollup.MarkingStore;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RolledHours;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupPlan;
import org.jspecify.annotations.Nullable;

/**
 * Connects the rollups that a database computes itself with the writes that change their points.
 */
final class EngineRollups {
  private EngineRollups() {}

  /**
   * @param points the store with the points of open rows, and with those that have expired
   * @return null if none are computed
   */
  static @Nullable OwnRollups of(EngineStore opened, KeyValueReader points, Retention retention) {
    RollupPlan plan = opened.plan();
    TsdbOptions options = opened.options();
    if (plan == null) {
      return null;
    }
    ExpiredRows expired = expired(options.tables().points(), retention);
    if (opened.record().isReadOnly()) {
      return OwnRollups.toRead(
          plan,
          opened.marking().hours(),
          points,
          options.tables().points(),
          opened.keys(),
          expired,
          options.duplicatePolicy(),
          options.clock());
    }
    return OwnRollups.of(
        plan,
        opened.marking().hours(),
        points,
        opened.watch().watched(), // the index has the series already, by their points
        options.tables().points(),
        opened.keys(),
        expired,
        retention::hasPoints,
        options.duplicatePolicy(),
        options.clock());
  }

  private static ExpiredRows expired(Family points, Retention retention) {
    return new ExpiredRows() {
      @Override
      public boolean contain(byte[] row) {
        return retention.hasExpired(points, row);
      }

      @Override
      public long mayContainBefore(byte[] metric) {
        return retention.mayHaveExpiredBefore(metric);
      }

      @Override
      public long mayContainBefore() {
        return retention.mayHaveExpiredBefore();
      }
    };
  }

  /** Has points stay that have expired until they are rolled up, if they are at all. */
  static ExpiringPoints expiring(EngineStore opened, Head head) {
    RollupPlan plan = opened.plan();
    RollupPlan set = opened.options().rollupPlan();
    Family feeding =
        set == null ? null : set.feedingDays(opened.options().tables().points().name());
    Set<String> computed =
        set == null
            ? Set.of()
            : set.longestFirst().stream().map(RollupInterval::table).collect(toUnmodifiableSet());
    boolean lacksTables = opened.lacksRollupTables(); // nothing is rolled up: all rows wait
    MarkingStore marking = opened.marking();
    return new ExpiringPoints() {
      @Override
      public Set<Bytes> awaited(List<byte[]> rows) {
        if (plan != null) {
          return EngineRollups.awaited(rows, opened, head);
        }
        return lacksTables ? rows.stream().map(Bytes::new).collect(toUnmodifiableSet()) : Set.of();
      }

      @Override
      public void expire(long hour) {
        marking.hours().expire(hour);
      }

      @Override
      public void deleting(List<byte[]> rows) {
        marking.hours().deleting(rows); // also while none is set
      }

      @Override
      public boolean isComputed(Family family) {
        // While none is set, hours stay done: what was computed is read again if it is set again.
        return set == null ? !marking.hours().done().isEmpty() : computed.contains(family.table());
      }

      @Override
      public boolean feedsDays(Family family) {
        return family.equals(feeding);
      }
    };
  }

  /** A row that is written later would be rolled up alone, without the points deleted before. */
  private static Set<Bytes> awaited(List<byte[]> rows, EngineStore opened, Head head) {
    RowKey keys = opened.keys();
    Set<Bytes> awaited = new HashSet<>();
    for (byte[] row : rows) {
      if (keys.isSeriesRow(row) && head.isOpen(keys.rowKey(keys.tsuid(row), keys.baseTime(row)))) {
        awaited.add(new Bytes(row));
      }
    }
    // After that: one that was written in between is marked now, or rolled up again.
    awaited.addAll(opened.marking().hours().awaited(rows));
    return awaited;
  }

  /** Tells the index of rows, and marks those of hours that are rolled up. */
  static Announcements announcements(SeriesIndex index, MarkingStore marking) {
    return new Announcements() {
      @Override
      public void showing(List<byte[]> rows, Runnable show) {
        index.showing(rows, show);
      }

      @Override
      public void after() {
        index.afterPuts();
      }

      @Override
      public int begin() {
        return marking.hours().begin();
      }

      @Override
      public void changing(long firstHour, long lastHour, Supplier<List<byte[]>> rows) {
        RolledHours hours = marking.hours();
        if (hours.concerns(firstHour, lastHour)) {
          hours.mark(rows.get());
        }
      }

      @Override
      public void end(int begun) {
        marking.hours().end(begun);
      }
    };
  }

  /**
   * A store that marks rows.
   *
   * @param unmarked the same store, where rows of points are not marked
   * @param ofMarks where marks are stored
   */
  static MarkingStore marking(KeyValueStore unmarked, KeyValueStore ofMarks, TsdbOptions options) {
    RolledHours hours =
        new RolledHours(ofMarks, options.rollupStateFamily(), new RowKey(options.schema()));
    return new MarkingStore(unmarked, hours, options.tables().points());
  }
}
