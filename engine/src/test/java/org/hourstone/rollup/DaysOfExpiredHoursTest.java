package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.retention.RetentionReport;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The value of a day is never that of the hours which have not expired yet. */
class DaysOfExpiredHoursTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock);

  @AfterEach
  void close() {
    store.close();
  }

  private TsdbOptions options(String intervals, String rules) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(RollupSettings.AUTO, intervals)
        .with(RetentionSettings.RULES, rules);
  }

  private Tsdb open(String rules) {
    return Tsdb.over(store, options("1h,1d", rules));
  }

  private static void put(Tsdb db, String metric, long seconds, long value) {
    db.put(metric, Instant.ofEpochSecond(seconds), value, Tags.of("host", "a")).join();
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private static void roll(Tsdb db) {
    db.flush(); // a row that is sealed later is rolled up again
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private static RetentionReport retain(Tsdb db) {
    return db.retention().run(false, true, 1, TableListener.NONE);
  }

  /** The first day's sum. */
  private static List<Double> day(Tsdb db) {
    List<Double> values = new ArrayList<>();
    Query query =
        Query.parse("sum:1d-sum:m")
            .between(
                Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + DAY).minusMillis(1))
            .from(PointSource.DEFAULT.withRollups(RollupUsage.NOFALLBACK));
    try (SeriesCursor found = db.query(query)) {
      found.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              values.add(series.doubleValue(i));
            }
          });
    }
    return values;
  }

  private int rows(String table) {
    int rows = 0;
    try (RowCursor cursor = store.scan(new Family(table, "t"), Scan.all())) {
      while (cursor.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void aDayOfWhichARowWaitsIsRolledUpAgainFromAllItsHours() {
    try (Tsdb db = open("* raw 2d, 1h 3d, 1d 60d")) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 5 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      roll(db);
      put(db, "m", START + 5 * HOUR + 60, 4);
      db.flush();
      to(START + 6 * DAY);

      assertThat(retain(db).waiting()).isEqualTo(1);
      roll(db);
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
      roll(db);
      to(START + 10 * DAY);
      assertThat(retain(db).waiting()).isZero();

      put(db, "m", START + 5 * HOUR + 60, 4);
      roll(db);
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
      roll(db);
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
    try (Tsdb db = Tsdb.over(store, options("1h", "m raw 2d"))) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 20 * HOUR, 2);
      to(START + DAY + 2 * HOUR);
      roll(db);
      to(START + 9 * DAY);
      put(db, "m", START + 8 * DAY, 4);
      roll(db);
      assertThat(retain(db).rows()).isEqualTo(2);
      assertThat(day(db)).containsExactly(3.0);
    }
    try (Tsdb db = open("m raw 2d")) {
      roll(db);
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
      roll(db);
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
    try (Tsdb db = Tsdb.over(store, options("30m,1h,1d", "m raw 2d"))) {
      OwnRollups own = db.ownRollups().orElseThrow();
      BooleanSupplier isAbandoned = () -> own.hours().done().from() < START + 180 * DAY;
      assertThatThrownBy(() -> own.run(isAbandoned, done -> {}, rows -> {}))
          .isInstanceOf(CancellationException.class);
      assertThat(own.hours().done().from()).isBetween(START + 150 * DAY, START + 180 * DAY);

      roll(db);
      assertThat(own.hours().done().from()).isZero();
      assertThat(day(db)).containsExactly(3.0);
    }
  }

  @Test
  void removalsByAVerificationAreLogged() {
    try (Tsdb db = open("m raw 60d")) {
      put(db, "m", START + 10, 1);
      to(START + 2 * DAY);
      roll(db);
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
