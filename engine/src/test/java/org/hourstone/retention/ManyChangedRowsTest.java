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
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** Points can't stand for rolled-up values that are kept for longer, however many rows changed. */
class ManyChangedRowsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  /** More than are computed from points where these are all there. */
  private static final int CHANGED = 20_001;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));

  @Test
  void valuesOfExpiredPointsAreReadNevertheless() {
    try (KeyValueStore store = new ModelStore(clock);
        Tsdb db =
            Tsdb.over(
                store,
                TsdbOptions.defaults()
                    .withClock(clock)
                    .with(Settings.COMPACTION_BACKGROUND, "false")
                    .with(RollupSettings.AUTO, "1h,1d")
                    .with(RetentionSettings.RULES, "* raw 31d"))) {
      put(db, START, "a");
      db.flush(); // a row that is sealed later is rolled up again
      clock.advance(Duration.ofDays(60));
      long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
      long first = START + 30 * DAY;
      for (int i = 0; i < CHANGED; i++) {
        put(db, first + (i % (29 * 24)) * HOUR, "h" + i / (29 * 24));
      }

      List<Double> counts = counts(db);
      assertThat(counts.get(0)).isEqualTo(1);
      assertThat(counts.stream().mapToDouble(each -> each).sum()).isEqualTo(1 + CHANGED);
    }
  }

  private static void put(Tsdb db, long seconds, String host) {
    db.put("m", Instant.ofEpochSecond(seconds), 1, Tags.of("host", host)).join();
  }

  private static List<Double> counts(Tsdb db) {
    List<Double> values = new ArrayList<>();
    Query query =
        Query.parse("sum:1d-count:m")
            .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + 60 * DAY - 1));
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
}
