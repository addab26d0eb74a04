package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.error.RequestException;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What has expired is not returned, and only that is deleted. */
class RetentionTest {
  private static final long DAY = 86_400;

  /** The begin of an hour and of a day. */
  private static final long NOW = 20_000 * DAY;

  private static final Receipt IGNORING =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {
          throw reason;
        }
      };

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW));
  private final KeyValueStore store = new ModelStore(clock);

  @AfterEach
  void close() {
    store.close();
  }

  private TsdbOptions options(String rules) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(RetentionSettings.RULES, rules);
  }

  private Tsdb open(String rules) {
    return Tsdb.over(store, options(rules));
  }

  /** Puts before there are rules. */
  private void putBefore(String metric, long seconds, String dc) {
    try (Tsdb db = open("")) {
      put(db, metric, seconds, dc);
    }
  }

  private static void put(Tsdb db, String metric, long seconds, String dc) {
    db.put(metric, Instant.ofEpochSecond(seconds), seconds, Tags.of("dc", dc)).join();
  }

  /** The timestamps of a series' points. */
  private List<Long> times(Tsdb db, String query) {
    List<Long> times = new ArrayList<>();
    try (SeriesCursor found =
        db.query(Query.parse("none:" + query).between(Instant.EPOCH, clock.instant()))) {
      found.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              times.add(series.millis(i) / 1000);
            }
          });
    }
    return times;
  }

  private long rows() {
    long rows = 0;
    try (RowCursor cursor = store.scan(TsdbOptions.defaults().tables().points(), Scan.all())) {
      while (cursor.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private RetentionReport delete(Tsdb db) {
    return db.retention().run(false, false, 2, TableListener.NONE);
  }

  @Test
  void aRowExpiresWhenItsLastSecondIsTooOld() {
    putBefore("m", NOW - 30 * DAY - 3600, "a");
    try (Tsdb db = open("m raw 30d")) {
      put(db, "m", NOW - 30 * DAY, "a");
      put(db, "m", NOW - 10, "a");
      put(db, "kept", NOW - 3000 * DAY, "a");
      db.flush();

      assertThat(times(db, "m")).containsExactly(NOW - 30 * DAY, NOW - 10);
      clock.advance(Duration.ofSeconds(3599));
      assertThat(times(db, "m")).hasSize(2);
      clock.advance(Duration.ofSeconds(1));
      assertThat(times(db, "m")).containsExactly(NOW - 10);
      assertThat(rows()).isEqualTo(4);

      assertThat(delete(db).rows()).as("a point may be being stored").isEqualTo(1);
      clock.advance(Duration.ofSeconds(59));
      assertThat(delete(db).rows()).isZero();
      clock.advance(Duration.ofSeconds(1));
      RetentionReport report = delete(db);

      assertThat(report.rules()).hasSize(1);
      RetentionReport.OfRule rule = report.rules().get(0);
      assertThat(rule.rule()).isEqualTo("m raw 30d");
      assertThat(rule.values()).isEqualTo("raw");
      assertThat(rule.rows()).isEqualTo(1);
      assertThat(rule.bytes()).isPositive();
      assertThat(rows()).isEqualTo(2);
      assertThat(times(db, "m")).containsExactly(NOW - 10);
      assertThat(times(db, "kept")).containsExactly(NOW - 3000 * DAY);
      assertThat(delete(db).rows()).isZero();
      assertThat(db.retention().stats()).isEqualTo(new RetentionStats(4, 0, 0, 2, 0, 0));
    }
  }

  @Test
  void aPointThatHasExpiredIsRefused() {
    try (Tsdb db = open("m{dc=a} raw 2d")) {
      put(db, "m", NOW - 3 * DAY, "b");
      put(db, "m", NOW - DAY, "a");
      assertThatThrownBy(() -> put(db, "m", NOW - 3 * DAY, "a"))
          .hasCauseInstanceOf(RequestException.class)
          .hasMessageContaining(
              "values of the hour of 2024-10-01T00:00:00Z have expired by \"m{dc=a} raw 2d\"");
      assertThatThrownBy(db::flush).hasMessageContaining("1 points were not stored");
      put(db, "m", NOW - DAY + 1, "a"); // the writer goes on

      assertThat(times(db, "m")).containsExactlyInAnyOrder(NOW - 3 * DAY, NOW - DAY, NOW - DAY + 1);
    }
  }

  @Test
  void pointsOfOpenRowsAndLastPointsExpireToo() {
    try (Tsdb db = open("* raw 2d")) {
      put(db, "m", NOW - DAY, "a");
      assertThat(db.last().find("m", Map.of("dc", "a"), 1000)).isPresent();
      clock.advance(Duration.ofDays(2));
      assertThat(db.last().find("m", Map.of("dc", "a"), 1000)).isEmpty();
    }
  }

  @Test
  void theFirstRuleThatMatchesTheSeriesApplies() {
    for (String dc : List.of("lga", "ams", "xyz", "sfo")) {
      putBefore("m", NOW - 15 * DAY, dc);
      putBefore("m", NOW - 30 * DAY, dc);
    }
    putBefore("other", NOW - 5 * DAY, "lga");
    putBefore("m", NOW - 10, "sfo");
    try (Tsdb db = open("m{dc=lga|ams} raw 10d; m{dc=x*} raw 400d; m raw 20d; * raw 2d")) {
      Map<String, List<Long>> before = new TreeMap<>();
      for (String dc : List.of("lga", "ams", "xyz", "sfo")) {
        before.put(dc, times(db, "m{dc=" + dc + "}"));
      }
      assertThat(before)
          .containsEntry("lga", List.of())
          .containsEntry("ams", List.of())
          .containsEntry("xyz", List.of(NOW - 30 * DAY, NOW - 15 * DAY))
          .containsEntry("sfo", List.of(NOW - 15 * DAY, NOW - 10));
      assertThat(times(db, "other")).isEmpty();

      RetentionReport counted = db.retention().run(true, false, 1, TableListener.NONE);
      assertThat(counted.rules())
          .extracting(rule -> rule.rule() + ": " + rule.rows())
          .containsExactlyInAnyOrder("m{dc=lga|ams} raw 10d: 4", "m raw 20d: 1", "* raw 2d: 1");
      assertThat(rows()).isEqualTo(10);

      assertThat(delete(db).rules()).isEqualTo(counted.rules());
      assertThat(rows()).isEqualTo(4);
      before.forEach((dc, times) -> assertThat(times(db, "m{dc=" + dc + "}")).isEqualTo(times));
    }
  }

  @Test
  void annotationsOfASeriesExpireWithItsRow() {
    putBefore("m", NOW - DAY, "a");
    String tsuid = "000001000001000001";
    Annotation old = new Annotation(tsuid, NOW - 3 * DAY, 0, "old", "", null);
    try (Tsdb db = open("")) {
      assertThat(db.annotations().save(old, false)).isPresent();
    }
    try (Tsdb db = open("* raw 2d")) {
      assertThat(db.annotations().get(tsuid, NOW - 3 * DAY)).isNull();
      assertThatThrownBy(() -> db.annotations().save(old, false))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("have expired by");
      assertThat(db.annotations().save(new Annotation(tsuid, NOW - DAY, 0, "new", "", null), false))
          .isPresent();
      assertThat(delete(db).rows()).isEqualTo(1);
      assertThat(db.annotations().get(tsuid, NOW - DAY)).isNotNull();
    }
  }

  @Test
  void globalAnnotationsAreKept() {
    try (Tsdb db = open("* raw 2d")) {
      put(db, "m", NOW - 10, "a");
      var unused =
          db.annotations().save(new Annotation("", NOW - 300 * DAY, 0, "kept", "", null), false);
      db.flush();
      long before = rows();

      assertThat(delete(db).rows()).isZero();
      assertThat(rows()).isEqualTo(before);
    }
  }

  @Test
  void nothingIsDeletedWhileTheClockIsFarAheadOfThePoints() {
    try (Tsdb db = open("* raw 30d")) {
      assertThat(delete(db).rows()).isZero(); // there are no points
    }
    putBefore("m", NOW - 40 * DAY, "a");
    try (Tsdb db = open("* raw 30d")) {
      put(db, "m", NOW, "a");
      db.flush();
      clock.advance(Duration.ofDays(3));

      assertThatThrownBy(() -> delete(db))
          .isInstanceOf(ImplausibleClockException.class)
          .hasMessageContaining("--clock-is-right");
      assertThat(rows()).isEqualTo(2);
      assertThat(db.retention().stats().refused()).isEqualTo(1);

      assertThat(db.retention().run(true, false, 1, TableListener.NONE).rows()).isEqualTo(1);
      assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isEqualTo(1);
      assertThat(rows()).isEqualTo(1);
      put(db, "m", NOW + 3 * DAY, "a");
      db.flush();
      assertThat(delete(db).rows()).isZero();
    }
  }

  @Test
  @Timeout(60)
  void aDaemonDeletesWhatExpiresWithoutBeingAsked() {
    putBefore("m", NOW - 40 * DAY, "a");
    try (Tsdb db = open("* raw 30d")) {
      put(db, "m", NOW - 20 * DAY, "a");
      put(db, "m", NOW, "a");
      db.flush();
      db.retention().start(1_000_000, 0, 1);
      while (rows() > 2) {
        Thread.onSpinWait();
      }
      clock.advance(Duration.ofDays(20));
      while (db.retention().stats().refused() == 0) {
        Thread.onSpinWait();
      }
      assertThat(rows()).isEqualTo(2);
      put(db, "m", NOW + 20 * DAY, "a");
      db.flush();
      while (rows() > 2) {
        Thread.onSpinWait();
      }
      db.retention().stop();
      assertThat(times(db, "m")).containsExactly(NOW, NOW + 20 * DAY);
    }
  }

  @Test
  void rulesThatCannotBeAppliedAreErrors() {
    assertThatThrownBy(() -> open("* raw 5h"))
        .hasMessageContaining(
            "hourstone.retention: the rule \"* raw 5h\": it deletes what is younger than a day")
        .hasMessageContaining("hourstone.retention.short=true");
    assertThatThrownBy(() -> open("* raw 30d, 10m 1y"))
        .hasMessageContaining("there is no rollup interval 10m");
    Tsdb.over(store, options("* raw 5h").with(RetentionSettings.SHORT, "true")).close();
  }

  @Test
  void rolledUpValuesHaveTheirOwnTime() {
    TsdbOptions options =
        options("")
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(
                Settings.ROLLUPS_CONFIG,
                "{\"aggregationIds\":{\"sum\":0,\"count\":1},\"intervals\":["
                    + "{\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true,"
                    + "\"table\":\"tsdb\",\"preAggregationTable\":\"groups\"},"
                    + "{\"interval\":\"1h\",\"rowSpan\":\"1n\","
                    + "\"table\":\"hours\",\"preAggregationTable\":\"groups-of-hours\"}]}");
    try (Tsdb db = Tsdb.over(store, options)) {
      for (long day : List.of(200, 90, 3, 0)) {
        db.rollups().putTelnetLine("rollup 1h-sum m " + (NOW - day * DAY) + " 1 dc=a", IGNORING, 0);
        put(db, "m", NOW - day * DAY, "a");
      }
    }
    TsdbOptions limited = options.with(RetentionSettings.RULES, "* raw 2d, 1h 100d");
    try (Tsdb db = Tsdb.over(store, limited)) {
      assertThatThrownBy(
              () ->
                  db.rollups()
                      .putTelnetLine(
                          "rollup 1h-sum m " + (NOW - 200 * DAY) + " 1 dc=a", IGNORING, 0))
          .hasMessageContaining("have expired by");
      assertThat(times(db, "1h-sum:m")).hasSize(3);
      assertThat(times(db, "m")).containsExactly(NOW);
      assertThat(delete(db).rules())
          .extracting(rule -> rule.values() + ": " + rule.rows())
          .containsExactlyInAnyOrder("raw: 3", "1h: 1");
      assertThat(times(db, "1h-sum:m")).hasSize(3);
      assertThat(times(db, "m")).containsExactly(NOW);
    }
  }

  @Test
  void randomRulesHideAndDeleteTheSameRows() {
    Random random = new Random(7);
    for (int round = 0; round < 30; round++) {
      try (KeyValueStore own = new ModelStore(clock)) {
        TsdbOptions options = options("").with(Settings.SALT_WIDTH, round % 3 == 0 ? "1" : "0");
        Map<String, TreeSet<Long>> put = new TreeMap<>();
        long now = clock.millis() / 1000;
        int limit = 2 + random.nextInt(40);
        int ofTag = 2 + random.nextInt(40);
        String rules = "m1{dc=b} raw " + ofTag + "d; m* raw " + limit + "d";
        try (Tsdb db = Tsdb.over(own, options)) {
          for (int i = 0; i < 120; i++) {
            String metric = List.of("m1", "m2", "n").get(random.nextInt(3));
            String dc = List.of("a", "b").get(random.nextInt(2));
            long time = now - random.nextInt((int) (60 * DAY));
            put(db, metric, time, dc);
            put.computeIfAbsent(metric + "{dc=" + dc + "}", key -> new TreeSet<>()).add(time);
          }
          put(db, "n", now, "z");
        }
        try (Tsdb db = Tsdb.over(own, options.with(RetentionSettings.RULES, rules))) {
          for (int step = 0; step < 4; step++) {
            put.forEach(
                (series, times) -> {
                  long days =
                      series.startsWith("n") ? 100_000 : series.equals("m1{dc=b}") ? ofTag : limit;
                  times.removeIf(
                      time -> clock.millis() / 1000 - (time - time % 3600 + 3600) >= days * DAY);
                  assertThat(times(db, series))
                      .as("%s, %s, %s", rules, series, clock.instant())
                      .containsExactlyElementsOf(times);
                });
            db.flush();
            if (random.nextBoolean()) {
              var unused = db.retention().run(false, true, 1, TableListener.NONE);
            }
            clock.advance(Duration.ofMinutes(random.nextInt(10_000)));
          }
        }
      }
    }
  }
}
