package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.RollupCase;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules and rollups together. */
class KeptRollupsTest extends RollupCase {
  private Tsdb open(String rules) {
    return open("10m,1h,1d", rules);
  }

  private void putADayRolledUp(Tsdb db) {
    put(db, "m", START + 10, 1);
    put(db, "m", START + 5 * HOUR, 2);
    clock.advance(Duration.ofSeconds(DAY + 2 * HOUR));
    db.flush();
    long unused = roll(db);
  }

  private static List<Double> sums(Tsdb db, String interval) {
    return sums(db, interval, 1);
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
        options("", "* raw 60d, 1h 3d")
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(Settings.ROLLUPS_CONFIG, config);
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
      long unused = roll(db);
      assertThat(log.messages())
          .anyMatch(line -> line.contains("hours of series were removed, because"));
    }
  }
}
