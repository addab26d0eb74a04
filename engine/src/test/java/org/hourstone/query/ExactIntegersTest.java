package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.Interpolation;
import org.hourstone.series.RateOptions;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of integers are exact, or the nearest double where they do not fit in 64 bits. */
class ExactIntegersTest {
  private static final Instant START = Instant.parse("2024-03-10T00:00:00Z");
  private static final long[] EXTREMES = {
    Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62, -(1L << 62), 1L << 53, -(1L << 53), 1L << 32, 0
  };

  private final ModelStore store = new ModelStore(new ManualClock(START.plusSeconds(36_000)));
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults());
  private int metric;
  private final List<NavigableMap<Long, BigInteger>> all = new ArrayList<>();

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(int series, long seconds, long value) {
    while (all.size() <= series) {
      all.add(new TreeMap<>());
    }
    all.get(series).put(START.plusSeconds(seconds).toEpochMilli(), BigInteger.valueOf(value));
    db.put("m" + metric, START.plusSeconds(seconds), value, Tags.of("host", "h" + series));
  }

  /** Some series share their timestamps, so that they are aggregated in blocks. */
  private void putRandom(Random random) {
    int most = random.nextBoolean() ? 1 : 400;
    int count = 1 + random.nextInt(6);
    for (int series = 0; series < count; series++) {
      int bits = random.nextInt(3);
      for (long second = most == 1 ? 0 : random.nextInt(most);
          second < 20L * most;
          second += 1 + random.nextInt(most)) {
        put(series, second, random(random, bits));
      }
    }
    db.flush();
  }

  private static long random(Random random, int kind) {
    return switch (kind) {
      case 0 -> random.nextLong() >> random.nextInt(64);
      case 1 -> random.nextInt(100);
      default -> EXTREMES[random.nextInt(EXTREMES.length)] + random.nextInt(5) - 2;
    };
  }

  private Query query(Aggregator aggregator) {
    return Query.metric("m" + metric)
        .aggregate(aggregator)
        .between(START, START.plusSeconds(20_000));
  }

  private ResultSeries only(Query query) {
    try (SeriesCursor cursor = db.query(query)) {
      ResultSeries series = Objects.requireNonNull(cursor.next());
      assertThat(cursor.next()).isNull();
      return series;
    }
  }

  private String text(Query query) {
    ResultSeries series = only(query);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      texts.add(series.text(i));
    }
    return String.join(" ", texts);
  }

  /** What each series contributes at a timestamp, in their order. */
  private List<BigInteger> contributions(long millis, Interpolation interpolation) {
    List<BigInteger> values = new ArrayList<>();
    for (NavigableMap<Long, BigInteger> series : all) {
      Map.Entry<Long, BigInteger> before = series.floorEntry(millis);
      Map.Entry<Long, BigInteger> after = series.ceilingEntry(millis);
      if (before != null && after != null) {
        values.add(
            before.getKey() == millis
                ? before.getValue()
                : between(millis, before, after, interpolation));
      }
    }
    return values;
  }

  private static BigInteger between(
      long millis,
      Map.Entry<Long, BigInteger> before,
      Map.Entry<Long, BigInteger> after,
      Interpolation interpolation) {
    return switch (interpolation) {
      case LINEAR -> {
        BigInteger rise = after.getValue().subtract(before.getValue());
        yield rise.multiply(BigInteger.valueOf(millis - before.getKey()))
            .divide(BigInteger.valueOf(after.getKey() - before.getKey()))
            .add(before.getValue());
      }
      case ZERO -> BigInteger.ZERO;
      case MAX -> BigInteger.valueOf(Long.MAX_VALUE);
      case PREVIOUS -> before.getValue();
      default -> BigInteger.valueOf(Long.MIN_VALUE);
    };
  }

  @ParameterizedTest
  @EnumSource(value = Aggregator.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void resultsAreExactOrTheNearestDouble(Aggregator aggregator) {
    Random random = new Random(aggregator.requestName().hashCode());
    for (int round = 0; round < 40; round++) {
      metric++;
      all.clear();
      putRandom(random);
      ResultSeries series = only(query(aggregator));
      TreeSet<Long> times = new TreeSet<>();
      all.forEach(each -> times.addAll(each.keySet()));
      assertThat(series.size()).isEqualTo(times.size());
      int i = 0;
      for (long time : times) {
        List<BigInteger> values = contributions(time, aggregator.interpolation());
        BigInteger exact = ExactReduction.of(aggregator, values);
        assertThat(series.isInteger(i)).as("%s", values).isEqualTo(exact.bitLength() < 64);
        if (series.isInteger(i)) {
          assertThat(BigInteger.valueOf(series.longValue(i)).subtract(exact).abs())
              .as("%s of %s: %s for %s", aggregator, values, series.text(i), exact)
              .isLessThanOrEqualTo(ExactReduction.tolerance(aggregator, values));
        } else {
          assertThat(series.doubleValue(i)).as("%s", values).isEqualTo(exact.doubleValue());
        }
        i++;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rate", "rate{counter}", "rate{counter,9223372036854775806}", "rate{dropcounter}"})
  void ratesAreThoseOfExactChanges(String options) {
    RateOptions rate = RateOptions.parse(options);
    Random random = new Random(options.hashCode());
    for (int second = 0; second < 3000; second += 1 + random.nextInt(9)) {
      put(0, second, random(random, 2 * random.nextInt(2)));
    }
    db.flush();
    TreeMap<Long, Double> expected = new TreeMap<>();
    Map.Entry<Long, BigInteger> last = null;
    for (Map.Entry<Long, BigInteger> each : all.get(0).entrySet()) {
      if (last != null) {
        BigInteger change = each.getValue().subtract(last.getValue());
        boolean restarts = rate.counter() && change.signum() < 0;
        BigInteger growth = restarts ? change.add(BigInteger.valueOf(rate.counterMax())) : change;
        if (!restarts || !rate.dropResets()) {
          expected.put(
              each.getKey(), growth.doubleValue() / ((each.getKey() - last.getKey()) / 1000.0));
        }
      }
      last = each;
    }
    TreeMap<Long, Double> rates = new TreeMap<>();
    only(query(Aggregator.SUM).rate(rate)).forEach(rates::put);
    assertThat(rates).isEqualTo(expected);
  }

  /** Buckets are doubles, so that they never wrap around. */
  @ParameterizedTest
  @EnumSource(
      value = Aggregator.class,
      names = {"SUM", "AVG", "SQUARE_SUM", "DIFF", "MIN", "MAX", "LAST"})
  void bucketsAreDoublesNearTheExactResult(Aggregator function) {
    Random random = new Random(function.requestName().hashCode());
    for (int second = 0; second < 3000; second++) {
      put(0, second, random(random, 2 * random.nextInt(2)));
    }
    db.flush();
    ResultSeries series =
        only(query(Aggregator.SUM).downsample(Downsample.fixed(60_000, function)));
    assertThat(series.size()).isEqualTo(50);
    for (int i = 0; i < series.size(); i++) {
      List<BigInteger> values =
          List.copyOf(all.get(0).subMap(series.millis(i), series.millis(i) + 60_000).values());
      BigDecimal exact = new BigDecimal(ExactReduction.of(function, values));
      double most = function == Aggregator.SQUARE_SUM ? 0x1p126 : 0x1p63;
      BigDecimal error = new BigDecimal(series.doubleValue(i)).subtract(exact).abs();
      assertThat(error.doubleValue()).isLessThanOrEqualTo(most * 0x1p-44);
    }
  }

  @Test
  void anInfiniteResultIsRefused() {
    for (int i = 0; i < 20; i++) {
      put(i, 0, Long.MIN_VALUE);
    }
    db.flush();
    assertThatThrownBy(() -> text(query(Aggregator.MULT)))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("Infinity");
    put(20, 0, 0);
    db.flush();
    assertThat(text(query(Aggregator.MULT))).isEqualTo("0");
  }

  @Test
  void inStrictModeIntegersWrapAround() {
    db.close();
    db =
        Tsdb.over(store, TsdbOptions.openTsdbDefaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    put(0, 0, Long.MAX_VALUE);
    put(1, 0, Long.MAX_VALUE);
    db.flush();
    assertThat(text(query(Aggregator.SUM))).isEqualTo("-2");
    assertThat(text(query(Aggregator.AVG))).isEqualTo("-1");
    assertThat(text(query(Aggregator.SQUARE_SUM))).isEqualTo("2");
    assertThat(text(query(Aggregator.MULT))).isEqualTo("1");
    put(0, 10, Long.MIN_VALUE);
    db.flush();
    assertThat(text(query(Aggregator.SUM).rate(RateOptions.DEFAULT).where("host", "h0")))
        .isEqualTo("0.1");
  }
}
