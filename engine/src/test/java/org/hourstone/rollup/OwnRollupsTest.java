package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Explanation;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.retention.RetentionReport;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A query that reads rollups has the result that it has over points, whatever has changed. */
class OwnRollupsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private static final Receipt IGNORING =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {}
      };

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final KeyValueStore store = new ModelStore(clock);

  @AfterEach
  void close() {
    store.close();
  }

  private TsdbOptions options(String intervals) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(RollupSettings.AUTO, intervals);
  }

  private Tsdb open(String intervals) {
    return Tsdb.over(store, options(intervals));
  }

  private static void put(Tsdb db, long seconds, Number value, String host) {
    Tags tags = Tags.of("host", host);
    if (value instanceof Long integer) {
      db.put("m", Instant.ofEpochSecond(seconds), integer, tags).join();
    } else {
      db.put("m", Instant.ofEpochSecond(seconds), value.doubleValue(), tags).join();
    }
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private static long roll(Tsdb db) {
    db.flush(); // a row that is sealed later is rolled up again
    return db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private static Map<String, double[][]> answer(Tsdb db, Query query, RollupUsage usage) {
    Map<String, double[][]> answer = new TreeMap<>();
    try (SeriesCursor found = db.query(query.from(PointSource.DEFAULT.withRollups(usage)))) {
      found.forEach(series -> answer.put(series.tags().toString(), values(series)));
    }
    return answer;
  }

  private static double[][] values(ResultSeries series) {
    double[][] values = new double[series.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = new double[] {series.millis(i), series.doubleValue(i)};
    }
    return values;
  }

  /** Returns whether rollups were read. */
  private static boolean assertSame(Tsdb db, Query query) {
    Map<String, double[][]> points = answer(db, query, RollupUsage.RAW);
    Map<String, double[][]> rolled = answer(db, query, RollupUsage.NOFALLBACK);
    assertThat(rolled.keySet()).as(query.text()).isEqualTo(points.keySet());
    points.forEach(
        (series, expected) -> {
          double[][] actual = Objects.requireNonNull(rolled.get(series));
          assertThat(actual.length).as(query + " of " + series).isEqualTo(expected.length);
          for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i][0]).as(query + " of " + series).isEqualTo(expected[i][0]);
            double most = Math.max(1, Math.abs(expected[i][1])) * 1e-9;
            if (Double.isNaN(expected[i][1])) {
              assertThat(actual[i][1]).isNaN();
            } else {
              assertThat(actual[i][1])
                  .as(query + " of " + series + " at " + expected[i][0])
                  .isCloseTo(expected[i][1], within(most));
            }
          }
        });
    return readsRollups(db, query);
  }

  private static boolean readsRollups(Tsdb db, Query query) {
    return sources(db, query).stream().anyMatch(source -> source.startsWith("rollup"));
  }

  private static List<String> sources(Tsdb db, Query query) {
    return db.explain(query).parts().stream().map(Explanation.Part::source).toList();
  }

  private static Query query(String text, long from, long until) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until).minusMillis(1));
  }

  @Test
  void aDayOfHoursIsReadFromTheirRollup() {
    try (Tsdb db = open("10m,1h,1d")) {
      for (long time = START; time < START + 3 * DAY; time += 300) {
        to(time);
        put(db, time, time % 977, "a");
        put(db, time + 7, time / 3.0, "b");
      }
      to(START + 3 * DAY + HOUR);
      assertThat(roll(db)).isEqualTo(2 * 72);
      assertThat(db.ownRollups().orElseThrow().hours().done())
          .isEqualTo(new HourRange(0, START + 3 * DAY));

      for (String by : List.of("sum", "count", "min", "max", "avg")) {
        for (String interval : List.of("10m", "30m", "1h", "6h", "1d")) {
          Query query =
              query("sum:" + interval + "-" + by + ":m{host=*}", START + 1000, START + 3 * DAY);
          assertThat(assertSame(db, query)).as(query.text()).isTrue();
        }
      }
      assertThat(sources(db, query("sum:1d-sum:m", START, START + 3 * DAY)))
          .containsExactly("rollup 1d");
      assertThat(sources(db, query("sum:2h-sum:m", START + HOUR, START + 4 * DAY)))
          .containsExactly("rollup 1h", "points");
      assertThat(sources(db, query("sum:10m-dev:m", START, START + 3 * DAY)))
          .containsExactly("points");
      assertThat(sources(db, query("sum:7m-sum:m", START, START + 3 * DAY)))
          .containsExactly("points");
      assertThat(sources(db, query("sum:m", START, START + 3 * DAY))).containsExactly("points");
    }
  }

  @Test
  void latePointsAndDeletionsAreSeenAtOnceAndRolledUpAgain() {
    try (Tsdb db = open("1h,1d")) {
      put(db, START + 10, 5L, "a");
      put(db, START + 2 * DAY, 7L, "a");
      to(START + 3 * DAY);
      roll(db);
      Query query = query("sum:1d-sum:m{host=*}", START, START + 3 * DAY);
      assertThat(assertSame(db, query)).isTrue();

      put(db, START + 20, 100L, "a");
      put(db, START + DAY, 3.5, "new");
      put(db, START + 10, 6L, "a");

      assertThat(assertSame(db, query)).isTrue();
      assertThat(answer(db, query, RollupUsage.NOFALLBACK))
          .hasEntrySatisfying("{host=a}", values -> assertThat(values[0][1]).isEqualTo(106));
      assertThat(roll(db)).isPositive();
      assertThat(roll(db)).isZero();
      assertThat(assertSame(db, query)).isTrue();

      db.delete(query("sum:m{host=new}", START, START + 3 * DAY));
      assertThat(assertSame(db, query)).isTrue();
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
      roll(db);
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
    }
  }

  @Test
  void pointsThatAreNoFiniteNumbersAreReadThemselves() {
    try (Tsdb db = open("1h")) {
      put(db, START + 20, 1L, "a");
      put(db, START + HOUR, 2L, "a");
      db.flush();
      Family points = options("").tables().points();
      byte[] row;
      try (RowCursor rows = store.scan(points, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.put(
          points,
          row,
          Qualifier.encode(START + 10, Value.FLOAT_FLAGS),
          Value.encode(Value.FLOAT_FLAGS, Value.rawOf(Float.NaN)));
      to(START + DAY);
      roll(db);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
      assertThat(assertSame(db, query("sum:1h-avg:m", START, START + DAY))).isTrue();
      assertThat(roll(db)).isZero();
    }
  }

  /** OpenTSDB has no integers of three bytes: a query of points fails. */
  @Test
  void rowsThatAQueryRefusesAreRefusedAlsoIfTheyAreRolledUp() {
    try (Tsdb db = open("1h")) {
      put(db, START + 20, 1L, "a");
      db.flush();
      Family points = options("").tables().points();
      byte[] row;
      try (RowCursor rows = store.scan(points, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.put(points, row, Qualifier.encode(START + 10, 2), new byte[] {1, 2, 3});
      to(START + DAY);
      roll(db);

      Query query = query("sum:1h-count:m", START, START + DAY);
      assertThatThrownBy(() -> answer(db, query, RollupUsage.RAW))
          .isInstanceOf(CorruptDataException.class);
      assertThatThrownBy(() -> answer(db, query, RollupUsage.NOFALLBACK))
          .isInstanceOf(CorruptDataException.class);
    }
  }

  @Test
  void annotationsOfSeriesAreReturnedIfTheyAreRequested() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1L, "a");
      String tsuid;
      try (SeriesCursor found = db.query(query("none:m", START, START + HOUR))) {
        tsuid = Objects.requireNonNull(found.next()).tsuids().get(0);
      }
      to(START + DAY);
      roll(db);
      var unused =
          db.annotations().save(new Annotation(tsuid, START + 30, 0, "deployed", "", null), true);
      Query query =
          query("sum:1h-sum:m", START, START + DAY).from(PointSource.DEFAULT.withAnnotations());
      for (int i = 0; i < 2; i++) {
        try (SeriesCursor found = db.query(query)) {
          assertThat(Objects.requireNonNull(found.next()).annotations()).hasSize(1);
        }
        roll(db);
      }
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
    }
  }

  @Test
  void annotationsOfHoursWithoutPointsAreNotReturnedAsOverPoints() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1L, "a");
      String tsuid;
      try (SeriesCursor found = db.query(query("none:m", START, START + HOUR))) {
        tsuid = Objects.requireNonNull(found.next()).tsuids().get(0);
      }
      to(START + DAY);
      var unused =
          db.annotations()
              .save(new Annotation(tsuid, START + 2 * HOUR, 0, "alone", "", null), true);
      roll(db);
      Query query =
          query("sum:1h-sum:m", START, START + DAY).from(PointSource.DEFAULT.withAnnotations());
      for (RollupUsage usage : List.of(RollupUsage.RAW, RollupUsage.NOFALLBACK)) {
        try (SeriesCursor found = db.query(query.from(query.source().withRollups(usage)))) {
          assertThat(Objects.requireNonNull(found.next()).annotations()).as("%s", usage).isEmpty();
        }
      }
    }
  }

  /** It would end each run. */
  @Test
  void aValueOfAWrongLengthIsComputedAgain() {
    try (Tsdb db = open("1h,1d")) {
      put(db, START + 10, 5L, "a");
      put(db, START + HOUR, 6L, "a");
      to(START + 2 * DAY);
      roll(db);
      Family hours = new Family("tsdb-rollup-1h", "t");
      byte[] row;
      try (RowCursor rows = store.scan(hours, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.put(hours, row, RollupQualifier.encode(0, 1, 3), new byte[] {1});
      put(db, START + 20, 7L, "a");

      roll(db);
      roll(db);

      for (String by : List.of("sum", "count", "avg")) {
        assertThat(assertSame(db, query("sum:1d-" + by + ":m", START, START + DAY))).isTrue();
        assertThat(assertSame(db, query("sum:1h-" + by + ":m", START, START + DAY))).isTrue();
      }
    }
  }

  /** Rows are hidden while the clock is ahead: what is rolled up then must be right afterwards. */
  @Test
  void rollingUpWhileTheClockIsAheadLosesNothing() {
    TsdbOptions options = options("1h").with(RetentionSettings.RULES, "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      to(START + 40 * DAY);
      roll(db);
      to(START + 2 * HOUR);

      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
    }
  }

  @Test
  void aDuplicateIsCountedOnce() {
    try (Tsdb db = open("30m,1d")) {
      put(db, START + 10, 47L, "a");
      db.flush();
      Family points = db.engine().tables().points();
      byte[] row;
      try (RowCursor rows = store.scan(points, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.put(points, row, Qualifier.encodeMillis(10_000, 3), Value.encode(3, 50L));
      to(START + 2 * DAY);
      roll(db);
      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
    }
  }

  /** They seem to have expired then, and would be kept. */
  @Test
  void pointsThatAreDeletedBeforeTheClockIsAheadAreNotInRollupsAfterwards() {
    TsdbOptions options = options("1h,1d").with(RetentionSettings.RULES, "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + HOUR, 1L, "a");
      to(START + 2 * DAY);
      roll(db);
      var unused = db.delete(query("none:m", START, START + HOUR));
      to(START + 40 * DAY);
      roll(db);
      to(START + 2 * DAY);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
      assertThat(assertSame(db, query("sum:1d-count:m", START, START + DAY))).isTrue();
    }
  }

  /** The values of intervals that were not set when the points were deleted. */
  @Test
  void pointsThatAreDeletedBesideOtherIntervalsAreNotInRollupsAfterTheClockWasAhead() {
    TsdbOptions hours = options("1h").with(RetentionSettings.RULES, "* raw 30d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, hours)) {
      put(db, START + 10, 1L, "a");
      put(db, START + HOUR, 1L, "a");
      to(START + 2 * DAY);
      roll(db);
    }
    try (Tsdb db = open("10m")) {
      roll(db);
      var unused = db.delete(query("none:m", START, START + HOUR));
      roll(db);
    }
    try (Tsdb db = Tsdb.over(store, hours)) {
      to(START + 40 * DAY);
      roll(db);
      to(START + 2 * DAY);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
    }
  }

  private static RetentionReport retain(Tsdb db) {
    return db.retention().run(false, true, 1, TableListener.NONE);
  }

  @Test
  void pointsThatHaveExpiredAreDeletedWhenTheyAreRolledUp() {
    TsdbOptions options = options("1h,1d").with(RetentionSettings.RULES, "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + 20, 2L, "b");
      to(START + 4 * DAY);
      db.flush();

      RetentionReport before = retain(db);
      assertThat(before.rows()).isZero();
      assertThat(before.waiting()).isEqualTo(2);
      assertThat(db.retention().stats().waiting()).isEqualTo(2);
      assertThat(db.retention().run(true, true, 1, TableListener.NONE)).isEqualTo(before);

      roll(db);
      RetentionReport after = retain(db);
      assertThat(after.rows()).isEqualTo(2);
      assertThat(db.retention().stats().waiting()).isZero();
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1)
          .allSatisfy((tags, values) -> assertThat(values).isDeepEqualTo(at(START, 3)));
    }
  }

  @Test
  void aPointThatWasLateIsInTheValuesThatAreKept() {
    TsdbOptions options = options("1h,1d").with(RetentionSettings.RULES, "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      put(db, START + 20, 1L, "b");
      to(START + DAY);
      roll(db);
      put(db, START + 30, 5L, "a");
      db.flush();
      to(START + 4 * DAY);

      RetentionReport before = retain(db);
      assertThat(before.rows()).isEqualTo(1);
      assertThat(before.waiting()).isEqualTo(1);

      roll(db);
      assertThat(retain(db).rows()).isEqualTo(1);
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1)
          .allSatisfy((tags, values) -> assertThat(values).isDeepEqualTo(at(START, 7)));
    }
  }

  /** Compaction marks rows that it rewrites, although their points stay the same. */
  @Test
  void valuesOfARowThatWasRewrittenAreKeptIfTheRuleIsMadeLonger() {
    TsdbOptions options = options("1h,1d").with(RetentionSettings.RULES, "* raw 2d, 1h 60d");
    try (Tsdb db = Tsdb.over(store, options)) {
      put(db, START + 10, 1L, "a");
      db.flush();
      put(db, START + 20, 1L, "a");
      to(START + 4 * DAY);
      roll(db);
      var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      RetentionReport report = retain(db);
      assertThat(report.rows() + report.waiting()).isEqualTo(1);
    }
    try (Tsdb db = open("1h,1d")) {
      roll(db);
      assertThat(answer(db, query("sum:1h-sum:m", START, START + HOUR), RollupUsage.NOFALLBACK))
          .hasSize(1);
    }
  }

  private static double[][] at(long seconds, double value) {
    return new double[][] {{seconds * 1000, value}};
  }

  /** Their points are not there, so nothing else has them. */
  @Test
  void valuesWhosePointsWereDeletedAsExpiredStayAlsoIfTheRuleIsMadeLonger() {
    Query query = query("sum:1h-sum:m", START, START + HOUR);
    try (Tsdb db =
        Tsdb.over(store, options("1h,1d").with(RetentionSettings.RULES, "* raw 2d, 1h 60d"))) {
      put(db, START + 10, 1L, "a");
      to(START + 4 * DAY);
      put(db, START + 4 * DAY, 1L, "a");
      roll(db);
      assertThat(db.retention().run(false, true, 1, TableListener.NONE).rows()).isPositive();
    }
    try (Tsdb db = open("1h,1d")) {
      roll(db);
      long unused = db.ownRollups().orElseThrow().verify(() -> false, done -> {});
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
    }
    try (Tsdb db = open("10m,1h")) {
      roll(db);
      query = query("sum:1h-sum:m", START, START + HOUR);
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
    }
  }

  @Test
  void forOtherIntervalsAllIsComputedAgain() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1.5, "a");
      to(START + DAY);
      roll(db);
    }
    try (Tsdb db = open("10m,1h")) {
      assertThat(db.ownRollups().orElseThrow().hours().done().isEmpty()).isTrue();
      put(db, START + 10, 1L, "a");
      roll(db);
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
    }
  }

  /** Also if it computes none itself. */
  @Test
  void everyDatabaseOverTheStoreMarksWhatItChanges() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1L, "a");
      to(START + DAY);
      roll(db);
    }
    try (Tsdb other = open("")) {
      put(other, START + 20, 2L, "a");
    }
    try (Tsdb db = open("1h");
        Tsdb beside = open("")) {
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
      clock.advance(Duration.ofDays(1));
      roll(db);
      put(beside, START + DAY + 5, 3L, "a");
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + 2 * DAY))).isTrue();
    }
  }

  @Test
  void valuesOfComputedIntervalsAreRefused() {
    try (Tsdb db =
        Tsdb.over(
            store,
            options("1h")
                .with(Settings.ROLLUPS_ENABLE, "true")
                .with(
                    Settings.ROLLUPS_CONFIG,
                    """
                    {"aggregationIds":{"sum":0,"count":1,"min":2,"max":3},"intervals":[
                    {"interval":"1m","rowSpan":"1h","defaultInterval":true,"table":"tsdb","preAggregationTable":"agg"},
                    {"interval":"1h","rowSpan":"1d","table":"r1h","preAggregationTable":"agg1h"}]}\
                    """))) {
      assertThatThrownBy(
              () ->
                  db.rollups().putTelnetLine("rollup 1h-sum m " + START + " 1 host=a", IGNORING, 0))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("hourstone.rollups.auto");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "7m, must be one of",
    "1h;1d, must be one of",
    "1d, none divides an hour",
  })
  void intervalsThatCanNotBeComputedAreRefused(String intervals, String reason) {
    assertThatThrownBy(() -> open(intervals))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hourstone.rollups.auto")
        .hasMessageContaining(reason);
  }
}
