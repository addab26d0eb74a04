package org.hourstone.rollup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours whose points have expired are read from rollups, however few they are. */
class ExpiredHoursTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock.ticking());
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.CREATE_TABLES, "true")
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(RetentionSettings.RULES, "* raw 2d, 1h 300d, 1d 300d")
              .with(RollupSettings.AUTO, "1h,1d"));

  @BeforeEach
  void putAnHourly() {
    put(0, 2 * 24 + 10);
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(int from, int until) {
    for (int hour = from; hour < until; hour++) {
      long time = START + hour * HOUR;
      clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(time + 60)));
      db.put("m", Instant.ofEpochSecond(time), 1, Tags.of("host", "a")).join();
    }
    db.flush();
  }

  private void roll() {
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private long verify() {
    return db.ownRollups().orElseThrow().verify(() -> false, done -> {});
  }

  private static Query query(String text, long fromHour, long untilHour) {
    return Query.parse(text)
        .between(
            Instant.ofEpochSecond(START + fromHour * HOUR),
            Instant.ofEpochSecond(START + untilHour * HOUR).minusMillis(1));
  }

  private Map<Long, Double> answer(String text, long fromHour, long untilHour) {
    Map<Long, Double> values = new TreeMap<>();
    try (SeriesCursor found = db.query(query(text, fromHour, untilHour))) {
      found.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              values.put((series.millis(i) / 1000 - START) / HOUR, series.doubleValue(i));
            }
          });
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "sum", "zimsum", "mimmax"})
  void aSingleHourIs(String aggregator) {
    clock.advance(Duration.ofDays(5));
    roll();
    assertThat(answer(aggregator + ":1h-sum:m", 10, 11)).containsExactly(Map.entry(10L, 1.0));
  }

  /** As its day is not rolled up yet: the daemon was stopped in between, or rules are short. */
  @ParameterizedTest
  @ValueSource(strings = {"sum", "count", "avg", "max"})
  void hoursOfADayInProgressAre(String function) {
    clock.advance(Duration.ofMinutes(20));
    roll();
    clock.advance(Duration.ofDays(3));
    double ofDay = function.equals("sum") || function.equals("count") ? 24 : 1;
    double inProgress = ofDay == 24 ? 9 : 1;
    String query = "sum:1d-" + function + ":m";
    Map<Long, Double> expected = Map.of(0L, ofDay, 24L, ofDay, 48L, inProgress);
    assertThat(answer(query, 0, 100)).isEqualTo(expected);

    long deleted = db.retention().run(false, true, 1, TableListener.NONE).rows();
    assertThat(deleted).isEqualTo(2 * 24 + 9);
    assertThat(answer(query, 0, 100)).isEqualTo(expected);
    assertThat(answer("sum:2d-count:m", 0, 100)).isEqualTo(Map.of(0L, 48.0, 48L, 9.0));
  }

  @Test
  void pointsBehindTheseHoursAreReadToo() {
    clock.advance(Duration.ofMinutes(20));
    roll();
    clock.advance(Duration.ofDays(1));
    put(2 * 24 + 54, 2 * 24 + 60);
    assertThat(answer("sum:1d-count:m", 0, 200))
        .isEqualTo(Map.of(0L, 24.0, 24L, 24.0, 48L, 9.0, 96L, 6.0));
  }

  /** As the daemon was stopped, or rolling up has failed for long. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pointsThatAreDeletedBeforeTheyExpireAreNotInValuesThatAreRolledUpAfterwards(
      boolean verifies) {
    clock.advance(Duration.ofMinutes(20));
    roll();
    long unused = db.delete(query("none:m", 30, 32));
    unused = db.delete(query("none:m", 2 * 24, 2 * 24 + 10));
    clock.advance(Duration.ofDays(4));
    assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isPositive();
    if (verifies) {
      unused = verify();
    }
    roll();
    assertThat(answer("sum:1h-count:m", 24, 200)).hasSize(22).doesNotContainKeys(30L, 31L);
    assertThat(answer("sum:1d-count:m", 0, 200)).isEqualTo(Map.of(0L, 24.0, 24L, 22.0));
    assertThat(verify()).isZero();
    assertThat(answer("sum:1d-count:m", 0, 200)).isEqualTo(Map.of(0L, 24.0, 24L, 22.0));
  }

  /** The mark of a change may be stored by a process that does not know the one of the deletion. */
  @Test
  void aChangeDoesNotHideThatPointsWereDeleted() {
    clock.advance(Duration.ofMinutes(20));
    roll();
    long unused = db.delete(query("none:m", 30, 32));
    byte[] tsuid = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    RolledHours later =
        new RolledHours(
            store, TsdbOptions.defaults().rollupStateFamily(), new RowKey(Schema.DEFAULT));
    later.mark(List.of(new RowKey(Schema.DEFAULT).rowKey(tsuid, START + 30 * HOUR)));
    assertThat(later.changed(new byte[0], 10))
        .extracting(MarkedHour::reason)
        .containsOnly(MarkedHour.Reason.DELETED);
  }

  /** No row has such a key, and nothing else keeps it from being read. */
  @Test
  void aMarkOfNoRowIsSkippedAndRemoved() {
    clock.advance(Duration.ofMinutes(20));
    roll();
    byte[] reason = "reason".getBytes(UTF_8);
    Family state = TsdbOptions.defaults().rollupStateFamily();
    store.put(state, new byte[] {1, 9, 9}, reason, new byte[] {0, 0});
    roll();
    assertThat(verify()).isZero();
    assertThat(store.get(state, new byte[] {1, 9, 9}, Columns.all()).isEmpty()).isTrue();
  }

  /** A write that was admitted in time has marked its row, and failed. */
  @Test
  void aMarkOfARowThatIsGoneRemovesNoValues() {
    clock.advance(Duration.ofDays(4));
    roll();
    assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows())
        .isEqualTo(2 * 24 + 10);
    byte[] tsuid = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    RolledHours hours = db.ownRollups().orElseThrow().hours();
    hours.mark(List.of(new RowKey(Schema.DEFAULT).rowKey(tsuid, START + 7 * HOUR)));
    assertThat(hours.changed(new byte[0], 10)).hasSize(1);
    roll();
    assertThat(hours.changed(new byte[0], 10)).isEmpty();
    assertThat(answer("sum:1h-count:m", 7, 9)).isEqualTo(Map.of(7L, 1.0, 8L, 1.0));
    assertThat(answer("sum:1d-count:m", 0, 24)).isEqualTo(Map.of(0L, 24.0));
  }
}
