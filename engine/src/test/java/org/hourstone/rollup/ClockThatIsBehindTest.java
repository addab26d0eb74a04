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
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As after a start without a battery: what was rolled up stays rolled up. */
class ClockThatIsBehindTest {
  private static final long DAY = 86_400;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(RollupSettings.AUTO, "1h,1d")
              .with(RetentionSettings.RULES, "* raw 30d"));

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private void put(String metric, long seconds) {
    db.put(metric, Instant.ofEpochSecond(seconds), 1, Tags.of("host", "a")).join();
    db.flush();
  }

  private void roll() {
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private HourRange done() {
    return db.ownRollups().orElseThrow().hours().done();
  }

  private List<Double> days() {
    List<Double> values = new ArrayList<>();
    Query query =
        Query.parse("sum:1d-sum:m")
            .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + 100 * DAY - 1));
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

  @Test
  void whatHasPointsStaysRolledUp() {
    put("m", START);
    to(START + 99 * DAY);
    put("m", START + 98 * DAY);
    roll();
    HourRange before = done();

    for (long wrong : List.of(START - 1000 * DAY, 700L)) {
      to(wrong);
      try (LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
        roll();
        roll();
        assertThat(log.messages()).hasSize(1).first().asString().contains("may be behind");
      }
      assertThat(done()).isEqualTo(before);
      to(START + 99 * DAY);
      roll();
    }
    assertThat(days()).containsExactly(1.0, 1.0);
  }

  /** A daemon writes them by the same clock. */
  @Test
  void statisticsOfADaemonDoNotTestify() {
    put("m", START);
    to(START + 20 * DAY);
    put("tsd.uptime", START + 20 * DAY);
    to(START + 21 * DAY);
    roll();
    to(START + DAY);
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
      roll();
      assertThat(log.messages()).hasSize(1).first().asString().contains("rolled up again");
    }
    assertThat(done().until()).isLessThanOrEqualTo(START + DAY);
  }

  /** Only their rolled-up values are left. */
  @Test
  void hoursWhosePointsAreDeletedStayRolledUp() {
    put("m", START);
    put("m", START + 40 * DAY);
    to(START + 80 * DAY);
    roll();
    assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isEqualTo(2);
    to(START - 1000 * DAY);
    roll();
    to(START + 80 * DAY);
    assertThat(days()).containsExactly(1.0, 1.0);
  }
}
