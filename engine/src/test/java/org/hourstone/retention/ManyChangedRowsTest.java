package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.hourstone.QuerySettings;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rollup.HourRange;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/** Points can't stand for rolled-up values that are kept for longer, however many rows changed. */
class ManyChangedRowsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  /** More than are computed from points where these are all there. */
  private static final int CHANGED = 20_001;

  /** Less than their marks need. */
  private static final int MEMORY = 5_000_000;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));

  private Tsdb open(KeyValueStore store, String rules) {
    return open(store, rules, 0);
  }

  private Tsdb open(KeyValueStore store, String rules, int memory) {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(QuerySettings.QUERY_MEMORY_BYTES, String.valueOf(memory))
            .with(RollupSettings.AUTO, "1h,1d")
            .with(RetentionSettings.RULES, rules));
  }

  /** One that is rolled up, and that others follow 60 days later. */
  private void putFirst(Tsdb db) {
    put(db, START, "a");
    db.flush(); // a row that is sealed later is rolled up again
    clock.advance(Duration.ofDays(60));
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private static void changeMany(Tsdb db, long first) {
    for (int i = 0; i < CHANGED; i++) {
      put(db, first + (i % (29 * 24)) * HOUR, "h" + i / (29 * 24));
    }
  }

  private static void assertAll(Tsdb db) {
    List<Double> counts = counts(db);
    assertThat(counts.get(0)).isEqualTo(1);
    assertThat(counts.stream().mapToDouble(each -> each).sum()).isEqualTo(1 + CHANGED);
    assertThat(db.explain(query()).parts().stream().map(Explanation.Part::source))
        .as("changed hours that can't have expired")
        .containsExactly("rollup 1d", "points");
  }

  @Test
  void valuesOfExpiredPointsAreReadNevertheless() {
    try (KeyValueStore store = new ModelStore(clock);
        Tsdb db = open(store, "* raw 31d")) {
      putFirst(db);
      changeMany(db, START + 30 * DAY);
      assertAll(db);
      assertThatThrownBy(
              () ->
                  db.ownRollups()
                      .orElseThrow()
                      .hours()
                      .forEachUnusable(
                          db.uids().uid(UidKind.METRIC, "m"),
                          new HourRange(START, START + 60 * DAY),
                          row -> false,
                          () -> {
                            throw new CancellationException();
                          },
                          row -> true,
                          row -> true))
          .as("a query that is cancelled")
          .isInstanceOf(CancellationException.class);
    }
  }

  /** The rule that is set now says nothing about them. */
  @Test
  void valuesOfPointsThatWereDeletedByAnotherRuleAreReadNevertheless() {
    try (KeyValueStore store = new ModelStore(clock)) {
      try (Tsdb db = open(store, "* raw 31d")) {
        putFirst(db);
        assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isEqualTo(1);
      }
      try (Tsdb db = open(store, "")) {
        changeMany(db, START + 30 * DAY);
        assertAll(db);
      }
    }
  }

  /** There may be any number. */
  @Test
  void aQueryThatNeedsTooMuchMemoryForThemFails() {
    try (KeyValueStore store = new ModelStore(clock);
        Tsdb db = open(store, "*{host=debug} raw 2d; * raw 400d", MEMORY)) {
      putFirst(db);
      changeMany(db, START + 29 * DAY);
      assertThatThrownBy(() -> counts(db)).isInstanceOf(QueryLimitException.class);
      assertThatThrownBy(() -> db.explain(query())).isInstanceOf(QueryLimitException.class);
    }
  }

  private static void put(Tsdb db, long seconds, String host) {
    db.put("m", Instant.ofEpochSecond(seconds), 1, Tags.of("host", host)).join();
  }

  private static List<Double> counts(Tsdb db) {
    List<Double> values = new ArrayList<>();
    try (SeriesCursor found = db.query(query())) {
      found.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              values.add(series.doubleValue(i));
            }
          });
    }
    return values;
  }

  private static Query query() {
    return Query.parse("sum:1d-count:m")
        .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + 60 * DAY - 1));
  }
}
