package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.SchemaMode;
import org.hourstone.retention.RetentionReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rollups are set, and who opens the store, such as a command that reads, creates no tables. */
class MissingRollupTablesTest extends RollupCase {
  private static TsdbOptions withoutTables(TsdbOptions options) {
    return options.with(Settings.CREATE_TABLES, "false");
  }

  /** A first setting, and others than before. */
  @ParameterizedTest
  @ValueSource(strings = {"", "10m", "1h"})
  void pointsAreRead(String before) {
    try (Tsdb db = open(before, "")) {
      put(db, "m", START, 1);
      put(db, "m", START + HOUR, 2);
      to(START + 2 * DAY);
      if (!before.isEmpty()) {
        roll(db);
      }
    }
    try (Tsdb db = Tsdb.over(store, withoutTables(options("10m,1h,1d", "")))) {
      assertThat(sums(db, "1h", 1)).isEqualTo(List.of(1.0, 2.0));
    }
    try (Tsdb db = open("10m,1h,1d", "")) {
      roll(db);
      assertThat(sums(db, "1d", 1)).isEqualTo(List.of(3.0));
    }
  }

  /** Nothing is rolled up, so that nothing may be deleted that is kept as a rolled-up value. */
  @ParameterizedTest
  @ValueSource(strings = {"", "10m"})
  void pointsThatHaveExpiredStay(String before) {
    try (Tsdb db = open(before, "")) {
      put(db, "m", START, 1);
      if (!before.isEmpty()) {
        to(START + DAY);
        roll(db);
      }
    }
    to(START + 40 * DAY);
    TsdbOptions hours = options("1h", "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, withoutTables(hours))) {
      RetentionReport report = retain(db);
      assertThat(report.rows()).isZero();
      assertThat(report.waiting()).isEqualTo(1);
    }
    try (Tsdb db = Tsdb.over(store, hours)) {
      roll(db);
      assertThat(retain(db).rows()).isEqualTo(1);
      assertThat(sums(db, "1h", 1)).isEqualTo(List.of(1.0));
    }
  }

  /** Days are computed from them when there is a table of days. */
  @Test
  void hoursOfWhichDaysAreComputedStay() {
    try (Tsdb db = open("1h", "* raw 7d")) {
      put(db, "m", START, 1);
      put(db, "m", START + HOUR, 2);
      to(START + 10 * DAY);
      db.flush();
      roll(db);
      assertThat(retain(db).rows()).isEqualTo(2);
    }
    to(START + 100 * DAY);
    TsdbOptions days = options("1h,1d", "* raw 7d, 1h 60d, 1d 3650d");
    try (Tsdb db = Tsdb.over(store, withoutTables(days))) {
      assertThat(retain(db).rows()).isZero();
    }
    try (Tsdb db = Tsdb.over(store, days)) {
      roll(db);
      assertThat(sums(db, "1d", 1)).isEqualTo(List.of(3.0));
    }
  }

  /** Those of intervals that others write count as well. */
  @Test
  void tablesOfConfiguredIntervals() {
    String config =
        """
        {"aggregationIds": {"sum": 0, "count": 1, "min": 2, "max": 3}, "intervals": [
          {"interval": "1s", "rowSpan": "1h", "defaultInterval": true,
            "table": "tsdb", "preAggregationTable": "tsdb"},
          {"interval": "1h", "rowSpan": "1d", "table": "hours", "preAggregationTable": "groups"}]}
        """;
    try (Tsdb db = open("", "")) {
      put(db, "m", START, 1);
    }
    to(START + 2 * DAY);
    TsdbOptions configured = options("1h", "").with(Settings.ROLLUPS_CONFIG, config);
    try (Tsdb db = Tsdb.over(store, withoutTables(configured))) {
      assertThat(sums(db, "1h", 1)).isEqualTo(List.of(1.0));
    }
    store.ensure(List.of(new FamilySpec(new Family("hours", "t"), false)), SchemaMode.CREATE);
    try (Tsdb db = Tsdb.over(store, withoutTables(configured))) {
      assertThat(sums(db, "1h", 1)).isEqualTo(List.of(1.0));
    }
  }

  @Test
  void whatHasChangedIsMarkedAllTheSame() {
    try (Tsdb db = open("10m", "")) {
      put(db, "m", START, 1);
      to(START + DAY);
      roll(db);
    }
    try (Tsdb db = Tsdb.over(store, withoutTables(options("10m,1h", "")))) {
      put(db, "m", START + 10, 2);
    }
    try (Tsdb db = open("10m", "")) {
      assertThat(sums(db, "10m", 1)).isEqualTo(List.of(3.0));
    }
  }
}
