package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;

/** The value of a day is never that of the hours which have not expired yet. */
class DaysOfExpiredHoursTest extends RollupCase {
  private Tsdb open(String rules) {
    return open("1h,1d", rules);
  }

  private static void flushAndRoll(Tsdb db) {
    db.flush();
    long unused = roll(db);
  }

  /** The first day's sum. */
  private static List<Double> day(Tsdb db) {
    Query query = ofDays("sum:1d-sum:m", 1);
    return values(db, query.from(PointSource.DEFAULT.withRollups(RollupUsage.NOFALLBACK)));
  }

  private int rows(String table) {
    return rows(new Family(table, "t"));
  }

  @Test
  void aDayOfWhichARowWaitsIsRolledUpAgainFromAllItsHours() {
    try (Tsdb db = open("* raw 2d, 1h 3d, 1d 60d")) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 5 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      flushAndRoll(db);
      put(db, "m", START + 5 * HOUR + 60, 4);
      db.flush();
      to(START + 6 * DAY);

      assertThat(retain(db).waiting()).isEqualTo(1);
      flushAndRoll(db);
      assertThat(day(db)).containsExactly(7.0);

      retain(db);
      assertThat(rows("tsdb")).isZero();
      assertThat(rows("tsdb-rollup-1h")).isZero();
      assertThat(day(db)).containsExactly(7.0);
    }
  }

  @Test
  void aLatePointIsAddedToADayWhoseHoursAreKeptForLessTimeThanItsPoints() {
    try (Tsdb db = open("* raw 30d, 1h 3d, 1d 60d")) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 5 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      flushAndRoll(db);
      to(START + 10 * DAY);
      assertThat(retain(db).waiting()).isZero();

      put(db, "m", START + 5 * HOUR + 60, 4);
      flushAndRoll(db);
      assertThat(day(db)).containsExactly(7.0);
    }
  }

  @Test
  void aDayWhosePointsAreDeletedStaysIfOnlySomeOfItsHoursHaveExpired() {
    TsdbOptions options =
        options("30m,1d", "m raw 2d, 30m 3d, 1d 60d")
            .with(
                Settings.ROLLUPS_CONFIG,
                """
                {"aggregationIds":{"sum":0,"count":1,"min":2,"max":3},"intervals":[
                {"interval":"1m","rowSpan":"1h","defaultInterval":true,"table":"tsdb","preAggregationTable":"tsdb"},
                {"interval":"30m","rowSpan":"6h","table":"r30m","preAggregationTable":"r30m"},
                {"interval":"1d","rowSpan":"1y","table":"r1d","preAggregationTable":"r1d"}]}\
                """);
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, "kept", START + 10, 1);
      put(db, "m", START + 10, 1);
      put(db, "m", START + 20 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      flushAndRoll(db);
      to(START + 3 * DAY + 8 * HOUR);
      retain(db);
      assertThat(rows("tsdb")).isEqualTo(1);
      assertThat(rows("r30m")).isEqualTo(2);

      long unused = db.ownRollups().orElseThrow().verify(() -> false, done -> {});
      assertThat(day(db)).containsExactly(3.0);
    }
  }

  @Test
  void daysThatAreWantedLaterAreComputedFromTheHoursThatAreLeft() {
    try (Tsdb db = open("1h", "m raw 2d")) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 20 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      flushAndRoll(db);
      to(START + 9 * DAY);
      put(db, "m", START + 8 * DAY, 4);
      flushAndRoll(db);
      assertThat(retain(db).rows()).isEqualTo(2);
      assertThat(day(db)).containsExactly(3.0);
    }
    try (Tsdb db = open("m raw 2d")) {
      flushAndRoll(db);
      assertThat(day(db)).containsExactly(3.0);
      assertThat(rows("tsdb-rollup-1d")).isPositive();
    }
  }

  private void putAndDeleteOldPoints() {
    try (Tsdb db = open("m raw 2d")) {
      for (int day : List.of(0, 40, 80)) {
        put(db, "m", START + day * DAY + 10, 1);
        put(db, "m", START + day * DAY + 20 * HOUR, 2);
      }
      to(START + 200 * DAY);
      put(db, "m", START + 200 * DAY, 4);
      to(START + 201 * DAY);
      flushAndRoll(db);
      assertThat(retain(db).rows()).isEqualTo(6);
    }
  }

  @Test
  void aDayWithoutPointsIsVerified() {
    putAndDeleteOldPoints();
    Family days = new Family("tsdb-rollup-1d", "t");
    byte[] first;
    try (RowCursor cursor = store.scan(days, Scan.all())) {
      first = Objects.requireNonNull(cursor.next()).key();
    }
    store.mutate(days, List.of(new RowMutation(first, List.of(new Change.DeleteRow()))));
    try (Tsdb db = open("m raw 2d")) {
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isPositive();
      assertThat(day(db)).containsExactly(3.0);
    }
  }

  /** Also beside others that a run has not reached when it ends. */
  @Test
  void daysWithoutPointsAreDoneStepByStep() {
    putAndDeleteOldPoints();
    try (Tsdb db = open("30m,1h,1d", "m raw 2d")) {
      OwnRollups own = db.ownRollups().orElseThrow();
      BooleanSupplier isAbandoned = () -> own.hours().done().from() < START + 180 * DAY;
      assertThatThrownBy(() -> own.run(isAbandoned, done -> {}, rows -> {}))
          .isInstanceOf(CancellationException.class);
      assertThat(own.hours().done().from()).isBetween(START + 150 * DAY, START + 180 * DAY);

      flushAndRoll(db);
      assertThat(own.hours().done().from()).isZero();
      assertThat(day(db)).containsExactly(3.0);
    }
  }

  @Test
  void removalsByAVerificationAreLogged() {
    try (Tsdb db = open("m raw 60d")) {
      put(db, "m", START + 10, 1);
      to(START + 2 * DAY);
      flushAndRoll(db);
    }
    Family points = TsdbOptions.defaults().tables().points();
    byte[] row;
    try (RowCursor cursor = store.scan(points, Scan.all())) {
      row = Objects.requireNonNull(cursor.next()).key();
    }
    store.mutate(points, List.of(new RowMutation(row, List.of(new Change.DeleteRow()))));
    try (Tsdb db = open("m raw 60d");
        LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isPositive();
      assertThat(log.messages()).anyMatch(line -> line.contains("hours of series were removed"));
    }
  }
}
