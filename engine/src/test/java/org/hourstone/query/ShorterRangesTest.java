package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.QuerySettings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The values of a range are those of any longer range, wherever in an hour or bucket it starts and
 * ends, if the points of each series are less than half an hour apart.
 */
class ShorterRangesTest {
  private static final Instant START = Instant.parse("2024-03-10T00:00:00Z"); // clocks change
  private static final int HOURS = 60;
  private static final int RANGES = 12;

  private final Random random = new Random(7);
  private final ModelStore store = new ModelStore(new ManualClock(START.plusSeconds(3600 * 100)));
  private final Tsdb db =
      Tsdb.over(store, TsdbOptions.defaults().with(QuerySettings.QUERY_SLICE_ROWS, "20"));

  @BeforeEach
  void write() {
    for (int series = 0; series < 6; series++) {
      Tags tags = Tags.of("host", "h" + series, "dc", "d" + series % 2);
      int most = 20 + 1600 * (series % 3) / 2;
      for (int second = random.nextInt(600);
          second < HOURS * 3600;
          second += 1 + random.nextInt(most)) {
        Instant time = START.plusSeconds(second);
        if (series == 5) {
          db.put("m", time, random.nextInt(1000) / 8.0, tags);
        } else {
          db.put("m", time, random.nextInt(1000), tags);
        }
      }
    }
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private Map<Map<String, String>, NavigableMap<Long, Double>> values(Query query) {
    Map<Map<String, String>, NavigableMap<Long, Double>> all = new HashMap<>();
    try (SeriesCursor cursor = db.query(query)) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        NavigableMap<Long, Double> values = new TreeMap<>();
        for (int i = 0; i < series.size(); i++) {
          values.put(series.millis(i), series.doubleValue(i));
        }
        all.put(series.tags(), values);
      }
    }
    return all;
  }

  private static Query of(String text) {
    Query query = Query.parse(text);
    Downsample how = query.downsample();
    return how == null ? query : query.downsample(how.withZone(ZoneId.of("America/Los_Angeles")));
  }

  private void check(String text) {
    long first = START.toEpochMilli();
    Query query = of(text);
    var all = values(query.betweenMillis(first, first + HOURS * 3_600_000L));
    for (int i = 0; i < RANGES; i++) {
      long from = first + 24 * 3_600_000L + random.nextInt(12 * 3600) * 1000L;
      if (i % 3 == 0) {
        from += 3_600_000 - from % 3_600_000 + random.nextInt(10_000); // just after the hour
      }
      long to = from + 1 + random.nextInt(i % 2 == 0 ? 900_000 : 6 * 3_600_000);
      var some = values(query.betweenMillis(from, to));
      for (var group : all.entrySet()) {
        assertThat(some.getOrDefault(group.getKey(), new TreeMap<>()))
            .describedAs("%s %s from %d to %d", text, group.getKey(), from, to)
            .isEqualTo(group.getValue().subMap(from, true, to, true));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Aggregator.class)
  void valuesDoNotDependOnTheRange(Aggregator aggregator) {
    String name = aggregator.requestName();
    for (String series : List.of("m", "m{dc=*}")) {
      for (String rate : List.of("", "rate:", "rate{counter,1000}:")) {
        check(name + ":" + rate + series);
        check(name + ":1m-avg:" + rate + series);
        check(name + ":7m-max:" + rate + series);
        check(name + ":1h-sum:" + rate + series);
        check(name + ":90m-avg:" + rate + series);
        check(name + ":1hc-sum:" + rate + series);
        check(name + ":3hc-sum:" + rate + series);
        check(name + ":5hc-count:" + rate + series);
        check(name + ":10m-sum-zero:" + rate + series);
        check(name + ":2hc-sum-nan:" + rate + series);
      }
    }
  }

  @Test
  void wholeDaysAreThoseOfALongerRange() {
    for (String text :
        List.of("sum:1dc-sum:m", "sum:1dc-sum-zero:m", "none:1dc-avg:m", "avg:1d-max:m{dc=*}")) {
      check(text);
    }
  }

  @Test
  void aSeriesThatEndsBeforeTheRangeOrBeginsAfterItIsNotInTheResult() {
    Instant hour = START.plusSeconds(48 * 3600);
    db.put("s", hour.minusSeconds(60), 1, Tags.of("host", "ended", "dc", "a"));
    db.put("s", hour.plusSeconds(600), 2, Tags.of("host", "there", "dc", "b"));
    db.put("s", hour.plusSeconds(3660), 3, Tags.of("host", "later", "dc", "c"));
    db.put("s", hour.minusSeconds(60), 10, Tags.of("host", "around", "dc", "d"));
    db.put("s", hour.plusSeconds(3660), 10, Tags.of("host", "around", "dc", "d"));
    db.flush();
    Query range = of("sum:s").between(hour, hour.plusSeconds(900));
    try (SeriesCursor cursor = db.query(range)) {
      ResultSeries only = Objects.requireNonNull(cursor.next());
      assertThat(only.tsuids()).hasSize(2);
      assertThat(only.longValue(0)).isEqualTo(12);
      assertThat(cursor.next()).isNull();
    }
    try (SeriesCursor cursor = db.query(of("sum:s{host=*}").between(hour, hour.plusSeconds(900)))) {
      assertThat(Objects.requireNonNull(cursor.next()).tags()).containsEntry("host", "there");
      assertThat(cursor.next()).isNull();
    }
  }
}
