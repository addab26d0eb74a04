package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A query that reads rollups has the result that it has over points, whatever has changed. */
class OwnRollupsTest extends RolledAnswerCase {
  private static final Receipt IGNORING =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {}
      };

  @Test
  void aDayOfHoursIsReadFromTheirRollup() {
    try (Tsdb db = open("10m,1h,1d")) {
      for (long time = START; time < START + 3 * DAY; time += 300) {
        to(time);
        put(db, time, time % 977, "a");
        put(db, time + 7, time / 3.0, "b");
      }
      to(START + 3 * DAY + HOUR);
      assertThat(flushAndRoll(db)).isEqualTo(2 * 72);
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
      flushAndRoll(db);
      Query query = query("sum:1d-sum:m{host=*}", START, START + 3 * DAY);
      assertThat(assertSame(db, query)).isTrue();

      put(db, START + 20, 100L, "a");
      put(db, START + DAY, 3.5, "new");
      put(db, START + 10, 6L, "a");

      assertThat(assertSame(db, query)).isTrue();
      assertThat(answer(db, query, RollupUsage.NOFALLBACK))
          .hasEntrySatisfying("{host=a}", values -> assertThat(values[0][1]).isEqualTo(106));
      assertThat(flushAndRoll(db)).isPositive();
      assertThat(flushAndRoll(db)).isZero();
      assertThat(assertSame(db, query)).isTrue();

      db.delete(query("sum:m{host=new}", START, START + 3 * DAY));
      assertThat(assertSame(db, query)).isTrue();
      assertThat(answer(db, query, RollupUsage.NOFALLBACK)).hasSize(1);
      flushAndRoll(db);
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
      flushAndRoll(db);

      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
      assertThat(assertSame(db, query("sum:1h-avg:m", START, START + DAY))).isTrue();
      assertThat(flushAndRoll(db)).isZero();
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
      flushAndRoll(db);

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
      flushAndRoll(db);
      var unused =
          db.annotations().save(new Annotation(tsuid, START + 30, 0, "deployed", "", null), true);
      Query query =
          query("sum:1h-sum:m", START, START + DAY).from(PointSource.DEFAULT.withAnnotations());
      for (int i = 0; i < 2; i++) {
        try (SeriesCursor found = db.query(query)) {
          assertThat(Objects.requireNonNull(found.next()).annotations()).hasSize(1);
        }
        flushAndRoll(db);
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
      flushAndRoll(db);
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
      flushAndRoll(db);
      Family hours = new Family("tsdb-rollup-1h", "t");
      byte[] row;
      try (RowCursor rows = store.scan(hours, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.put(hours, row, RollupQualifier.encode(0, 1, 3), new byte[] {1});
      put(db, START + 20, 7L, "a");

      flushAndRoll(db);
      flushAndRoll(db);

      for (String by : List.of("sum", "count", "avg")) {
        assertThat(assertSame(db, query("sum:1d-" + by + ":m", START, START + DAY))).isTrue();
        assertThat(assertSame(db, query("sum:1h-" + by + ":m", START, START + DAY))).isTrue();
      }
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
      flushAndRoll(db);
      assertThat(assertSame(db, query("sum:1h-count:m", START, START + DAY))).isTrue();
    }
  }

  @Test
  void forOtherIntervalsAllIsComputedAgain() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1.5, "a");
      to(START + DAY);
      flushAndRoll(db);
    }
    try (Tsdb db = open("10m,1h")) {
      assertThat(db.ownRollups().orElseThrow().hours().done().isEmpty()).isTrue();
      put(db, START + 10, 1L, "a");
      flushAndRoll(db);
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
    }
  }

  /** Also if it computes none itself. */
  @Test
  void everyDatabaseOverTheStoreMarksWhatItChanges() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1L, "a");
      to(START + DAY);
      flushAndRoll(db);
    }
    try (Tsdb other = open("")) {
      put(other, START + 20, 2L, "a");
    }
    try (Tsdb db = open("1h");
        Tsdb beside = open("")) {
      assertThat(assertSame(db, query("sum:1h-sum:m", START, START + DAY))).isTrue();
      clock.advance(Duration.ofDays(1));
      flushAndRoll(db);
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
    "1d, 1d: an interval is needed that divides an hour",
  })
  void intervalsThatCanNotBeComputedAreRefused(String intervals, String reason) {
    assertThatThrownBy(() -> open(intervals))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hourstone.rollups.auto")
        .hasMessageContaining(reason);
  }
}
