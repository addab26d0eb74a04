package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.RecordingStore;
import org.hourstone.testkit.store.RecordingStore.Counted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Short queries of many series are read in parts, one for each thread. */
class WideQueriesTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final int SERIES = 300;
  private static final int THREADS = 4;

  private final KeyValueStore memory =
      new ModelStore(new ManualClock(Instant.parse("2018-01-01T00:00:00Z")));
  private final RecordingStore store = new RecordingStore(memory);
  private final TsdbOptions options =
      TsdbOptions.defaults()
          .with(QuerySettings.QUERY_THREADS, "" + THREADS)
          .with(QuerySettings.QUERY_SLICE_ROWS, "100");
  private final Tsdb db = Tsdb.over(store, options);

  @BeforeEach
  void write() {
    for (int hour = 0; hour < 2; hour++) {
      for (int series = 0; series < SERIES; series++) {
        Tags tags = Tags.of("host", "h" + series * 7 % SERIES, "dc", "d" + series % 2);
        for (int point = 0; point < 3; point++) {
          db.put("m", START.plusSeconds(3600 * hour + 600 * point), series + point, tags);
        }
      }
    }
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
  }

  private List<String> answer(Tsdb from, String expression, int hours) {
    List<String> all = new ArrayList<>();
    Query query = Query.parse(expression).between(START, START.plusSeconds(3600L * hours - 600));
    try (SeriesCursor cursor = from.query(query)) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        StringBuilder text = new StringBuilder(series.tags().toString());
        for (int i = 0; i < series.size(); i++) {
          text.append(' ').append(series.millis(i)).append('=').append(series.doubleValue(i));
        }
        all.add(text.toString());
      }
    }
    return all;
  }

  private long scans(String expression, int hours) {
    store.reset();
    answer(db, expression, hours);
    assertThat(store.count(Counted.ROWS_READ, db.engine().tables().points()))
        .isEqualTo((long) SERIES * hours);
    return store.count(Counted.SCANS, db.engine().tables().points());
  }

  @Test
  void theRowsOfAnHourAreReadInParts() {
    assertThat(scans("zimsum:m{host=*}", 1)).isEqualTo(THREADS);
    assertThat(scans("none:m{host=*}", 2)).isEqualTo(2 * THREADS);
    assertThat(scans("zimsum:m", 1)).as("without filters").isEqualTo(THREADS);
  }

  @Test
  void yearsWithoutRowsTakeFewScansHoweverFewRowsASliceHas() {
    TsdbOptions one = options.with(QuerySettings.QUERY_SLICE_ROWS, "1");
    try (Tsdb sliced = Tsdb.over(store, one)) {
      store.reset();
      Query query =
          Query.parse("zimsum:m{dc=d1}").between(START.minus(Duration.ofDays(3650)), START);
      try (SeriesCursor cursor = sliced.query(query)) {
        cursor.forEach(series -> assertThat(series.size()).isEqualTo(1));
      }
      assertThat(store.count(Counted.SCANS, sliced.engine().tables().points())).isLessThan(1000);
    }
  }

  @Test
  void theQueryOfAnHourHoldsAtMostTwiceItsResult() {
    int points = 360;
    for (int series = 0; series < SERIES; series++) {
      Tags tags = Tags.of("host", "h" + series);
      for (int point = 0; point < 2 * points; point++) {
        db.put("dense", START.plusSeconds(10L * point), point, tags);
      }
    }
    db.flush();
    long result = 17L * points * SERIES;
    TsdbOptions limit = options.with(QuerySettings.QUERY_MEMORY_BYTES, "" + 2 * result);
    try (Tsdb limited = Tsdb.over(memory, limit)) {
      Query query = Query.parse("none:dense").between(START, START.plusSeconds(3599));
      try (SeriesCursor cursor = limited.query(query)) {
        int found = 0;
        for (ResultSeries each = cursor.next(); each != null; each = cursor.next()) {
          assertThat(each.size()).isEqualTo(points);
          found++;
        }
        assertThat(found).isEqualTo(SERIES);
      }
    }
  }

  @Test
  void answersAreThoseWithoutTheIndex() {
    try (Tsdb plain = Tsdb.over(memory, options.with(Settings.INDEX_ENABLE, "false"))) {
      for (String expression :
          List.of(
              "sum:m",
              "none:m",
              "sum:m{host=*}",
              "none:m{host=*}",
              "sum:m{}{host=*}",
              "max:20m-avg-zero:m{dc=*}{host=*}",
              "avg:rate:m{dc=*}{host=*}")) {
        for (int hours = 1; hours <= 2; hours++) {
          assertThat(answer(db, expression, hours))
              .as(expression)
              .isNotEmpty()
              .isEqualTo(answer(plain, expression, hours));
        }
      }
    }
  }
}
