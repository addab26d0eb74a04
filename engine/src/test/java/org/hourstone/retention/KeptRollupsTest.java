package org.hourstone.retention;

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
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules and rollups together. */
class KeptRollupsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock);

  @AfterEach
  void close() {
    store.close();
  }

  private Tsdb open(String rules) {
    return open("10m,1h,1d", rules);
  }

  private Tsdb open(String intervals, String rules) {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(RollupSettings.AUTO, intervals)
            .with(RetentionSettings.RULES, rules));
  }

  private void putADayRolledUp(Tsdb db) {
    db.put("m", Instant.ofEpochSecond(START + 10), 1, Tags.of("host", "a")).join();
    db.put("m", Instant.ofEpochSecond(START + 5 * HOUR), 2, Tags.of("host", "a")).join();
    clock.advance(Duration.ofSeconds(DAY + 2 * HOUR));
    db.flush();
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private List<Double> sums(Tsdb db, String interval) {
    List<Double> values = new ArrayList<>();
    Query query =
        Query.parse("sum:" + interval + "-sum:m")
            .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + DAY - 1));
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

  private static RetentionReport retain(Tsdb db, boolean dryRun) {
    return db.retention().run(dryRun, true, 1, TableListener.NONE);
  }

  /** Else a query that reads the longest interval would lack what is kept. */
  @ParameterizedTest
  @ValueSource(
      strings = {"* 10m 3d, 1h 3d", "* raw 60d, 10m 3d, 1h 3d", "m{host=*} raw 3d, 10m 60d, 1h 5d"})
  void valuesAreKeptAsLongAsWhatTheyStandFor(String rule) {
    try (Tsdb db = open(rule)) {
      putADayRolledUp(db);
      clock.advance(Duration.ofDays(20));

      assertThat(sums(db, "1h")).containsExactly(1.0, 2.0);
      long unused = retain(db, false).rows();
      assertThat(sums(db, "1h")).containsExactly(1.0, 2.0);
      assertThat(sums(db, "1d")).containsExactly(3.0);
    }
  }

  @Test
  void aDryRunCountsWhatARunDeletes() {
    try (Tsdb db = open("* raw 2d, 10m 3d, 1h 4d")) {
      putADayRolledUp(db);
      clock.advance(Duration.ofDays(20));
      List<RetentionReport.OfRule> counted = retain(db, true).rules();

      assertThat(retain(db, false).rules()).isEqualTo(counted);
      assertThat(counted.stream().map(RetentionReport.OfRule::values))
          .containsExactlyInAnyOrder("raw", "10m", "1h");
      assertThat(retain(db, false).rows()).isZero();
    }
  }

  /** What is done stays done, so that queries would lack it when they are computed again. */
  @Test
  void valuesAreKeptAsLongWhileTheyAreNotComputed() {
    String config =
        """
        {"aggregationIds":{"sum":0,"count":1,"min":2,"max":3},"intervals":[
        {"interval":"1m","rowSpan":"1h","defaultInterval":true,"table":"tsdb","preAggregationTable":"tsdb"},
        {"interval":"1h","rowSpan":"1d","table":"r1h","preAggregationTable":"r1h"}]}\
        """;
    TsdbOptions off =
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(Settings.ROLLUPS_CONFIG, config)
            .with(RetentionSettings.RULES, "* raw 60d, 1h 3d");
    TsdbOptions on = off.with(RollupSettings.AUTO, "1h");
    try (Tsdb db = Tsdb.over(store, on)) {
      putADayRolledUp(db);
      clock.advance(Duration.ofDays(20));
    }
    try (Tsdb db = Tsdb.over(store, off)) {
      assertThat(retain(db, false).rows()).isZero();
    }
    try (Tsdb db = Tsdb.over(store, on)) {
      assertThat(sums(db, "1h")).containsExactly(1.0, 2.0);
    }
  }

  /** As of another program, which stored no points. */
  @Test
  void removedValuesOfHoursWithoutPointsAreLogged() {
    try (Tsdb db = open("")) {
      putADayRolledUp(db);
    }
    Family points = TsdbOptions.defaults().tables().points();
    List<RowMutation> deletions = new ArrayList<>();
    try (RowCursor rows = store.scan(points, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        deletions.add(new RowMutation(row.key(), List.of(new Change.DeleteRow())));
      }
    }
    store.mutate(points, deletions);
    try (Tsdb db = open("1h,1d", "");
        LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
      long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
      assertThat(log.messages())
          .anyMatch(line -> line.contains("hours of series were removed, because"));
    }
  }
}
