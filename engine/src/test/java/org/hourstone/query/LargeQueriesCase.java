package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with a metric of many series, {@code m}, and one of a single point, {@code light}. */
abstract class LargeQueriesCase {
  static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  static final int SERIES = 50;
  static final int HOURS = 6;

  final KeyValueStore store =
      new ModelStore(new ManualClock(Instant.parse("2018-01-01T00:00:00Z")));
  Tsdb db = Tsdb.over(store, TsdbOptions.defaults().with(Settings.HEAD, "false"));

  @BeforeEach
  final void write() {
    for (int series = 0; series < SERIES; series++) {
      for (int minute = 0; minute < 60 * HOURS; minute++) {
        db.put("m", START.plusSeconds(60L * minute), minute, Tags.of("host", "h" + series));
      }
    }
    db.put("light", START, 1, Tags.of("host", "h0"));
    db.flush();
  }

  @AfterEach
  final void close() {
    db.close();
    store.close();
  }

  final void with(Setting<?> key, String value) {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(key, value));
  }

  static Query query(String expression) {
    return Query.parse(expression).between(START, START.plus(Duration.ofDays(1)));
  }

  static long points(Tsdb db, Query query) {
    long points = 0;
    try (SeriesCursor cursor = db.query(query)) {
      for (var series = cursor.next(); series != null; series = cursor.next()) {
        points += series.size();
      }
    }
    return points;
  }

  final void assertExceeds(Limit limit, String setting, Query query) {
    assertThatThrownBy(() -> points(db, query))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(limit))
        .hasMessageContaining(setting);
    assertNothingIsHeld();
    assertThat(points(db, query("sum:light"))).isEqualTo(1);
  }

  final void assertNothingIsHeld() {
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().memoryBytes()).isZero();
  }
}
