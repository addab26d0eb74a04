package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of days stay when their points were deleted as expired, whatever intervals are set. */
class RolledDaysTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock.ticking());

  @AfterEach
  void close() {
    store.close();
  }

  private Tsdb open(String intervals, String rules) {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(RetentionSettings.RULES, rules)
            .with(RollupSettings.AUTO, intervals));
  }

  private Tsdb open(String interval) {
    return open(interval + ",1d", "* raw 2d, " + interval + " 60d, 1d 60d");
  }

  private static void put(Tsdb db, long seconds) {
    db.put("m", Instant.ofEpochSecond(seconds), 1, Tags.of("host", "a")).join();
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private static void roll(Tsdb db) {
    db.flush();
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  /** How many points the first day has. */
  private static List<Double> count(Tsdb db) {
    Query query =
        Query.parse("none:1d-count:m{host=*}")
            .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + DAY - 1))
            .from(PointSource.DEFAULT.withRollups(RollupUsage.NOFALLBACK));
    List<Double> values = new ArrayList<>();
    try (SeriesCursor found = db.query(query)) {
      found.forEach(series -> values.add(series.doubleValue(0)));
    }
    return values;
  }

  private static long verify(Tsdb db) {
    return db.ownRollups().orElseThrow().verify(() -> false, done -> {});
  }

  /** Rolls up a day of two points, the first of which is deleted then. */
  private void rollAndExpire() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10);
      put(db, START + 20 * HOUR);
      put(db, START + 2 * DAY + 9 * HOUR);
      to(START + DAY + 2 * HOUR);
      roll(db);
      to(START + 2 * DAY + 10 * HOUR);
      roll(db);
      assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isEqualTo(1);
      assertThat(count(db)).containsExactly(2.0);
    }
  }

  @Test
  void aDayIsNotComputedFromHoursOfAnotherIntervalThatAreLeft() {
    rollAndExpire();
    try (Tsdb db = open("30m")) {
      roll(db);

      assertThat(count(db)).containsExactly(2.0);
    }
  }

  @Test
  void itStaysWhenAllOfItsPointsAreDeletedAndTheRuleIsMadeLonger() {
    rollAndExpire();
    try (Tsdb db = open("1h")) {
      put(db, START + 3 * DAY);
      to(START + 3 * DAY + HOUR);
      assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isPositive();
    }
    try (Tsdb db = open("30m,1d", "")) {
      put(db, START - DAY); // so that days are computed from there on
      roll(db);

      assertThat(count(db)).containsExactly(2.0);
      assertThat(verify(db)).isZero();
      assertThat(count(db)).containsExactly(2.0);
    }
  }

  /** The day seems to have expired then. */
  @Test
  void aLatePointIsInTheDayAlsoIfItIsRolledUpWhileTheClockIsAhead() {
    rollAndExpire();
    String others = "*{host=b} raw 90d; * raw 2d";
    try (Tsdb db = open("30m,1d", others)) {
      db.put("m", Instant.ofEpochSecond(START + 10), 1, Tags.of("host", "b")).join();
      roll(db);
      db.put("m", Instant.ofEpochSecond(START + 20), 1, Tags.of("host", "b")).join();
      to(START + 200 * DAY);
      roll(db);
      to(START + 2 * DAY + 11 * HOUR);
      assertThat(count(db)).containsExactly(2.0, 2.0);
    }
  }

  @Test
  void aDayThatHasNotExpiredIsComputedAgain() {
    rollAndExpire();
    String others = "*{host=b} raw 90d; * raw 2d";
    try (Tsdb db = open("1h,1d", others)) {
      db.put("m", Instant.ofEpochSecond(START + 10), 1, Tags.of("host", "b")).join();
      roll(db);
      assertThat(count(db)).containsExactly(2.0, 1.0);
    }
    try (Tsdb db = open("1h", others)) {
      roll(db);
      db.put("m", Instant.ofEpochSecond(START + 20), 1, Tags.of("host", "b")).join();
      roll(db);
    }
    try (Tsdb db = open("1h,1d", others)) {
      roll(db);
      assertThat(count(db)).containsExactly(2.0, 2.0);
    }
  }
}
