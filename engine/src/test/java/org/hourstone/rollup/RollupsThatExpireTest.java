package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.retention.RetentionReport;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.table.TableListener;
import org.junit.jupiter.api.Test;

/** Points that expire, or seem to while the clock is ahead, are in rolled-up values. */
class RollupsThatExpireTest extends RolledAnswerCase {
  private static double[][] at(long seconds, double value) {
    return new double[][] {{seconds * 1000, value}};
  }

  /** Rows are hidden while the clock is ahead: what is rolled up then must be right afterwards. */
  @Test
  void rollingUpWhileTheClockIsAheadLosesNothing() {
    TsdbOptions options = options("1h", "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      to(START + 40 * DAY);
      flushAndRoll(db);
      to(START + 2 * HOUR);

      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
    }
  }

  /** They seem to have expired then, and would be kept. */
  @Test
  void pointsThatAreDeletedBeforeTheClockIsAheadAreNotInRollupsAfterwards() {
    TsdbOptions options = options("1h,1d", "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + HOUR, 1L, "a");
      to(START + 2 * DAY);
      flushAndRoll(db);
      var unused = db.delete(query("none:m", START, START + HOUR));
      to(START + 40 * DAY);
      flushAndRoll(db);
      to(START + 2 * DAY);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
      assertThat(assertSame(db, query("sum:1d-count:m", START, START + DAY))).isTrue();
    }
  }

  /** The values of intervals that were not set when the points were deleted. */
  @Test
  void pointsThatAreDeletedBesideOtherIntervalsAreNotInRollupsAfterTheClockWasAhead() {
    TsdbOptions hours = options("1h", "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, hours)) {
      put(db, START + 10, 1L, "a");
      put(db, START + HOUR, 1L, "a");
      to(START + 2 * DAY);
      flushAndRoll(db);
    }
    try (Tsdb db = open("10m")) {
      flushAndRoll(db);
      var unused = db.delete(query("none:m", START, START + HOUR));
      flushAndRoll(db);
    }
    try (Tsdb db = Tsdb.over(store, hours)) {
      to(START + 40 * DAY);
      flushAndRoll(db);
      to(START + 2 * DAY);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
    }
  }

  @Test
  void pointsThatHaveExpiredAreDeletedWhenTheyAreRolledUp() {
    TsdbOptions options = options("1h,1d", "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + 20, 2L, "b");
      to(START + 4 * DAY);
      db.flush();

      RetentionReport before = retain(db);
      assertThat(before.rows()).isZero();
      assertThat(before.waiting()).isEqualTo(2);
      assertThat(db.retention().stats().waiting()).isEqualTo(2);
      assertThat(db.retention().run(true, true, 1, TableListener.NONE)).isEqualTo(before);

      flushAndRoll(db);
      RetentionReport after = retain(db);
      assertThat(after.rows()).isEqualTo(2);
      assertThat(db.retention().stats().waiting()).isZero();
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1)
          .allSatisfy((tags, values) -> assertThat(values).isDeepEqualTo(at(START, 3)));
    }
  }

  @Test
  void aPointThatWasLateIsInTheValuesThatAreKept() {
    TsdbOptions options = options("1h,1d", "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + 20, 1L, "b");
      to(START + DAY);
      flushAndRoll(db);
      put(db, START + 30, 5L, "a");
      db.flush();
      to(START + 4 * DAY);

      RetentionReport before = retain(db);
      assertThat(before.rows()).isEqualTo(1);
      assertThat(before.waiting()).isEqualTo(1);

      flushAndRoll(db);
      assertThat(retain(db).rows()).isEqualTo(1);
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1)
          .allSatisfy((tags, values) -> assertThat(values).isDeepEqualTo(at(START, 7)));
    }
  }

  /** Compaction marks rows that it rewrites, although their points stay the same. */
  @Test
  void valuesOfARowThatWasRewrittenAreKeptIfTheRuleIsMadeLonger() {
    TsdbOptions options = options("1h,1d", "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      db.flush();
      put(db, START + 20, 1L, "a");
      to(START + 4 * DAY);
      flushAndRoll(db);
      var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      RetentionReport report = retain(db);
      assertThat(report.rows() + report.waiting()).isEqualTo(1);
    }
    try (Tsdb db = open("1h,1d")) {
      flushAndRoll(db);
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1);
    }
  }

  /** Their points are not there, so nothing else has them. */
  @Test
  void valuesWhosePointsWereDeletedAsExpiredStayAlsoIfTheRuleIsMadeLonger() {
    Query query = query("sum:1h-sum:m", START, START + HOUR);
    try (Tsdb db = Tsdb.over(store, options("1h,1d", "* raw 2d, 1h 60d"))) {
      put(db, START + 10, 1L, "a");
      to(START + 4 * DAY);
      put(db, START + 4 * DAY, 1L, "a");
      flushAndRoll(db);
      assertThat(retain(db).rows()).isPositive();
    }
    try (Tsdb db = open("1h,1d")) {
      flushAndRoll(db);
      long unused = db.ownRollups().orElseThrow().verify(() -> false, done -> {});
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
    }
    try (Tsdb db = open("10m,1h")) {
      flushAndRoll(db);
      query = query("sum:1h-sum:m", START, START + HOUR);
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
    }
  }

  /** They are not deleted yet if a rule is made longer soon enough. */
  @Test
  void pointsThatHaveExpiredAreRolledUpUntilTheyAreDeleted() {
    TsdbOptions brief = options("1h", "* raw 2d");
    try (Tsdb db = Tsdb.over(store, options("1h"))) {
      put(db, START + 10, 5, "a");
      put(db, START + 3 * DAY, 7, "a");
      db.flush();
    }
    to(START + 4 * DAY);
    try (Tsdb db = Tsdb.over(store, brief)) {
      flushAndRoll(db);
    }
    try (Tsdb db = open("1h")) {
      assertSame(db, query("sum:1h-sum:m{host=*}", START, START + 4 * DAY));
      flushAndRoll(db);
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
      assertSame(db, query("sum:1h-sum:m{host=*}", START, START + 4 * DAY));
    }
  }

  @Test
  void valuesOfPointsThatHaveExpiredStay() {
    TsdbOptions expiring = options("1h,1d", "m raw 2d");
    try (Tsdb db = Tsdb.over(store, expiring)) {
      put(db, START + 10, 5, "a");
      db.put("n", Instant.ofEpochSecond(START + 10), 5L, Tags.of("host", "a")).join();
      to(START + DAY + HOUR);
      flushAndRoll(db);
      to(START + 5 * DAY);
      flushAndRoll(db);
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
    }
  }
}
