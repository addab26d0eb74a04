package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.QuerySettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Trait;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * If a store passes this, a query that reads rollups which the database computes itself has the
 * result that it has over points, whatever is written, deleted and interrupted before.
 */
public abstract class OwnRollupsContract extends TsdbCase {
  private static final long LENGTH = 3600;
  private static final long DAY = 24 * LENGTH;
  private static final int STEPS = 200;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(20_000 * DAY));
  private final List<String> steps = new ArrayList<>();
  private TsdbOptions options = TsdbOptions.defaults();

  @ParameterizedTest
  @CsvSource({
    "1, '10m,1h,1d', 0, 1",
    "2, '1h,1d', 1, 3",
    "3, '1m,30m', 1, 2",
    "4, '10m,1h,1d', 1, 20"
  })
  final void randomHistories(long seed, String intervals, String saltWidth, String salts) {
    db.close();
    options =
        db.engine()
            .options()
            .withClock(clock)
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.SALT_WIDTH, saltWidth)
            .with(Settings.SALT_BUCKETS, salts)
            .with(QuerySettings.QUERY_SLICE_ROWS, seed % 2 == 0 ? "2" : "1000")
            .with(RollupSettings.AUTO, intervals);
    if (store.traits().contains(Trait.SHARED)) {
      assertThatThrownBy(() -> Tsdb.over(store, options))
          .hasMessageContaining("hourstone.rollups.auto")
          .hasMessageContaining("other processes");
      return;
    }
    db = Tsdb.over(store, options);
    Random random = new Random(seed);
    int rolledUp = 0;
    for (int step = 0; step < STEPS; step++) {
      step(random, step);
      if (step > 20) {
        Query query = randomQuery(random);
        try {
          rolledUp += isAnsweredByRollups(query) ? 1 : 0;
        } catch (AssertionError e) {
          throw new AssertionError("after " + steps, e);
        }
      }
    }
    assertThat(rolledUp).isGreaterThan(STEPS / 10);
  }

  private void step(Random random, int step) {
    long now = clock.instant().getEpochSecond();
    int kind = random.nextInt(14);
    if (kind < 6) {
      put(random, now);
    } else if (kind == 6 && step > 40) {
      long from = now - random.nextLong(4 * DAY);
      steps.add("delete from " + from);
      db.delete(range("sum:m{host=h*}", from, from + random.nextLong(5 * LENGTH) + 1));
    } else if (kind == 7) {
      steps.add("reopen");
      db.close();
      db = Tsdb.over(store, options);
    } else if (kind < 10) {
      clock.advance(Duration.ofSeconds(random.nextLong(8 * LENGTH)));
      steps.add("to " + clock.instant());
    } else if (kind == 10) {
      int most = random.nextInt(6);
      steps.add("roll, interrupted after " + most);
      AtomicInteger looks = new AtomicInteger();
      try {
        var unused = rollups().run(() -> looks.incrementAndGet() > most, done -> {}, rows -> {});
      } catch (CancellationException e) {
        steps.add("it was");
      }
    } else if (kind == 11) {
      steps.add("roll beside writes");
      Random others = new Random(random.nextLong());
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 20; i++) {
                  put(others, now);
                }
              });
      roll();
      writing.join();
    } else {
      steps.add("roll");
      roll();
      if (random.nextInt(4) == 0) {
        assertThat(rollups().verify(() -> false, done -> {})).isZero();
      }
    }
  }

  private OwnRollups rollups() {
    return db.ownRollups().orElseThrow();
  }

  private void roll() {
    var unused = rollups().run(() -> false, done -> {}, rows -> {});
  }

  private void put(Random random, long now) {
    long time = random.nextInt(4) == 0 ? now - random.nextLong(5 * DAY) : now;
    Tags tags = Tags.of("host", "h" + random.nextInt(4));
    Instant at = Instant.ofEpochSecond(time);
    synchronized (steps) {
      steps.add("put at " + time + " " + tags);
    }
    switch (random.nextInt(4)) {
      case 0 -> db.put("m", at, random.nextInt(100) - 50.5, tags).join();
      case 1 -> db.put("m", at, random.nextLong(), tags).join();
      default -> db.put("m", at, random.nextInt(1000), tags).join();
    }
  }

  private static Query range(String text, long from, long until) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until).minusMillis(1));
  }

  private Query randomQuery(Random random) {
    String[] aggregators = {"sum", "min", "max", "avg", "none", "zimsum", "count"};
    String[] intervals = {"10m", "30m", "1h", "2h", "6h", "1d", "3d"};
    String[] by = {"sum", "count", "min", "max", "avg"};
    String[] fills = {"", "-zero", "-nan", "-null"};
    String[] filters = {"", "{host=*}", "{host=h1|h2}", "{}{host=wildcard(h*)}"};
    String text =
        aggregators[random.nextInt(aggregators.length)]
            + ":"
            + intervals[random.nextInt(intervals.length)]
            + "-"
            + by[random.nextInt(by.length)]
            + fills[random.nextInt(fills.length)]
            + (random.nextInt(5) == 0 ? ":rate:m" : ":m")
            + filters[random.nextInt(filters.length)];
    long from = clock.instant().getEpochSecond() - random.nextLong(6 * DAY);
    return range(text, from, from + LENGTH + random.nextLong(6 * DAY))
        .from(random.nextBoolean() ? PointSource.DEFAULT : PointSource.DEFAULT.withAnnotations());
  }

  private boolean isAnsweredByRollups(Query query) {
    Map<String, double[][]> points =
        answer(query.from(query.source().withRollups(RollupUsage.RAW)));
    Map<String, double[][]> rolled = answer(query);
    assertThat(rolled.keySet()).as(query.toString()).isEqualTo(points.keySet());
    points.forEach(
        (series, expected) -> {
          double[][] actual = Objects.requireNonNull(rolled.get(series));
          assertThat(actual.length).as(query + " of " + series).isEqualTo(expected.length);
          for (int i = 0; i < expected.length; i++) {
            String where = query + " of " + series + " at " + expected[i][0];
            assertThat(actual[i][0]).as(where).isEqualTo(expected[i][0]);
            if (Double.isNaN(expected[i][1])) {
              assertThat(actual[i][1]).as(where).isNaN();
            } else {
              double most = Math.max(1, Math.abs(expected[i][1])) * 1e-9;
              assertThat(actual[i][1]).as(where).isCloseTo(expected[i][1], within(most));
            }
          }
        });
    return db.explain(query).parts().stream().anyMatch(part -> part.source().startsWith("rollup"));
  }

  private Map<String, double[][]> answer(Query query) {
    Map<String, double[][]> answer = new TreeMap<>();
    try (SeriesCursor found = db.query(query)) {
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
}
