package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hours that have not ended are rolled up once, when they have, although the clock was ahead. */
class ClockThatWasAheadTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock);
  private Tsdb db = open();

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private Tsdb open() {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(RollupSettings.AUTO, "1h,1d"));
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private void put(long seconds, long value) {
    db.put("m", Instant.ofEpochSecond(seconds), value, Tags.of("host", "a")).join();
  }

  private long roll() {
    return db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private HourRange done() {
    return db.ownRollups().orElseThrow().hours().done();
  }

  private int marks() {
    int marks = 0;
    byte[] first = {1};
    try (RowCursor rows =
        store.scan(TsdbOptions.defaults().rollupStateFamily(), Scan.prefix(first))) {
      while (rows.next() != null) {
        marks++;
      }
    }
    return marks;
  }

  private List<Double> sums(String interval) {
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

  @Test
  void hoursThatHaveNotEndedAreNotDoneAnyMore() {
    put(START + 10, 1);
    to(START + 30 * DAY);
    long unused = roll();
    assertThat(sums("1d")).containsExactly(1.0);

    to(START + 600);
    put(START + 600, 2);
    unused = roll();
    assertThat(roll()).as("rows of hours that have not ended").isZero();
    assertThat(done().until()).isLessThanOrEqualTo(START);
    assertThat(sums("1h")).containsExactly(3.0);
    assertThat(sums("1d")).containsExactly(3.0);

    db.close();
    db = open();
    put(START + 5 * HOUR, 4);
    to(START + DAY + HOUR);
    db.flush();
    unused = roll();
    assertThat(roll()).isZero();
    assertThat(done().until()).isEqualTo(START + DAY);
    assertThat(sums("1h")).containsExactly(3.0, 4.0);
    assertThat(sums("1d")).containsExactly(7.0);
    assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
  }

  /** Each would be one more write, and be read again and again until its hour has ended. */
  @Test
  void rowsOfHoursThatHaveNotEndedAreNotMarked() {
    put(START + 10, 1);
    to(START + 30 * DAY);
    long unused = roll();
    to(START + 600);
    unused = roll();
    put(START + 600, 2);
    assertThat(marks()).isZero();

    db.close();
    db = open();
    put(START + 700, 3);
    unused = roll();
    put(START + 5 * HOUR, 4);
    assertThat(marks()).isZero();

    to(START + DAY + HOUR);
    db.flush();
    unused = roll();
    assertThat(sums("1h")).containsExactly(6.0, 4.0);
    put(START + 20, 5);
    assertThat(marks()).isEqualTo(1);
    assertThat(sums("1d")).containsExactly(15.0);
  }
}
