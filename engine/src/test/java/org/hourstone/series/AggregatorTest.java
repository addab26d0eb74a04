package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AggregatorTest {
  private static long ofLongs(String name, String values) {
    long[] longs = Arrays.stream(values.split(" ")).mapToLong(Long::parseLong).toArray();
    return Aggregator.parse(name).overLongs().of(longs, longs.length);
  }

  private static double ofDoubles(String name, String values) {
    double[] doubles = Arrays.stream(values.split(" ")).mapToDouble(Double::parseDouble).toArray();
    Accumulator accumulator = Aggregator.parse(name).overDoubles(MemoryLease.untracked());
    accumulator.add(doubles, 0, doubles.length);
    return accumulator.take();
  }

  @ParameterizedTest
  @CsvSource({
    "sum, 1 2 3 4, 10",
    "sum, 9223372036854775807 1, -9223372036854775808",
    "zimsum, 1 2 3 4, 10",
    "pfsum, 1 2 3 4, 10",
    "squareSum, 1 2 3 4, 30",
    "squareSum, 4294967296 2, 4",
    "min, 3 -1 4, -1",
    "mimmin, 3 -1 4, -1",
    "max, 3 -1 4, 4",
    "mimmax, -3 -1 -4, -1",
    "avg, 1 2, 1",
    "avg, -1 -2, -1",
    "avg, 1 2 3 4, 2",
    "median, 4 1 3 2, 3",
    "median, 5 1 3, 3",
    "dev, 1 2 3 4, 1",
    "dev, 10 20, 5",
    "dev, 7, 0",
    "diff, 3 100 10, 7",
    "diff, 3, 0",
    "mult, 2 3 4, 24",
    "mult, 4294967296 4294967296, 0",
    "count, 5 5 5, 3",
    "first, 3 1 2, 3",
    "last, 3 1 2, 2",
    "none, 3, 3",
    "p50, 1 2 3 4, 2",
    "p75, 1 2 3 4, 3",
    "p90, 1 2 3 4, 4",
    "p95, 1 2 3 4, 4",
    "p99, 1 2 3 4, 4",
    "p999, 1 2 3 4, 4",
    "ep50r3, 1 2 3 4, 2",
    "ep75r3, 4 3 2 1, 3",
    "ep90r3, 1 2 3 4, 4",
    "ep95r3, 1 2 3 4, 4",
    "ep99r3, 1 2 3 4, 4",
    "ep999r3, 1 2 3 4, 4",
    "ep50r7, 1 2 3 4, 2",
    "ep75r7, 10 20 30 40, 32",
    "ep90r7, 1 2 3 4, 3",
    "ep95r7, 10 20 30 40, 38",
    "ep99r7, 10 20 30 40, 39",
    "ep999r7, 10 20 30 40, 39",
  })
  void ofIntegers(String name, String values, long expected) {
    assertThat(ofLongs(name, values)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "sum, 1.5 2 NaN 4, 7.5",
    "sum, -0.0, 0.0",
    "zimsum, NaN 2, 2.0",
    "pfsum, NaN 2, 2.0",
    "squareSum, 1.5 NaN 2, 6.25",
    "min, NaN 3 -1.5, -1.5",
    "min, Infinity, NaN",
    "mimmin, 3 NaN -1.5, -1.5",
    "max, NaN -3 -1.5, -1.5",
    "max, -Infinity, NaN",
    "max, Infinity 1, Infinity",
    "mimmax, NaN -3 -1.5, -1.5",
    "avg, 1 2 NaN, 1.5",
    "median, 4 1 NaN 3 2, 3.0",
    "median, Infinity 1, Infinity",
    "dev, 1 2 3 4, 1.118033988749895",
    "dev, NaN 1 2 NaN 3 4, 1.118033988749895",
    "dev, NaN 7, 0.0",
    "dev, Infinity, 0.0",
    "diff, NaN 3 100 10, 7.0",
    "diff, 3 10 NaN, NaN",
    "diff, NaN 3, 0.0",
    "diff, Infinity, 0.0",
    "mult, 2 3.5, 7.0",
    "mult, 2 NaN 3, NaN",
    "count, 5 NaN 5, 2.0",
    "count, NaN, 0.0",
    "first, 3 1 2, 3.0",
    "first, NaN 1 2, NaN",
    "last, 3 1 2, 2.0",
    "last, 3 1 NaN, NaN",
    "none, 3, 3.0",
    "none, NaN, NaN",
    "p50, 1 2 3 4, 2.5",
    "p50, NaN 1 2 NaN 3 4, 2.5",
    "p75, 1 2 3 4, 3.75",
    "p90, 1 2 3 4, 4.0",
    "p95, 1 2 3 4, 4.0",
    "p99, 7, 7.0",
    "p999, 1 2 3 4, 4.0",
    "ep50r3, 1 2 3 4, 2.5",
    "ep75r3, 1 2 3 4, 3.75",
    "ep90r3, 1 2 3 4, 4.0",
    "ep95r3, 1 2, 2.0",
    "ep99r3, 1 2, 2.0",
    "ep999r3, 1 2, 2.0",
    "ep50r7, 1 2 3 4, 2.5",
    "ep75r7, 1 2 3 4, 3.75",
    "ep90r7, 1 2 3 4, 4.0",
    "ep95r7, 1 2, 2.0",
    "ep99r7, 1 2, 2.0",
    "ep999r7, 1 2, 2.0",
  })
  void ofDoubles(String name, String values, double expected) {
    assertThat(ofDoubles(name, values)).isEqualTo(Double.valueOf(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum",
        "zimsum",
        "pfsum",
        "squareSum",
        "min",
        "mimmin",
        "max",
        "mimmax",
        "avg",
        "median",
        "dev",
        "diff",
        "mult",
        "first",
        "last",
        "p50",
        "p999",
        "ep50r3",
        "ep50r7"
      })
  void ofNothingButWhatIsNotANumberIsNotANumber(String name) {
    assertThat(ofDoubles(name, "NaN NaN")).isNaN();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotANumberChangesNoResultOfThoseThatPassOverIt(Aggregator aggregator) {
    String[] with = {"NaN 1 2 5", "1 NaN 2 5", "1 2 5 NaN"};
    if (aggregator != Aggregator.NONE) {
      String name = aggregator.requestName();
      boolean same =
          Arrays.stream(with)
              .allMatch(values -> ofDoubles(name, values) == ofDoubles(name, "1 2 5"));
      assertThat(same).isEqualTo(aggregator.skipsNaN());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAccumulatorBeginsAgainAndTakesItsValuesInAnyParts(Aggregator aggregator) {
    double[] values = {3, -1, Double.NaN, 4.5, 1, 5};
    Accumulator accumulator = aggregator.overDoubles(MemoryLease.untracked());
    if (aggregator == Aggregator.NONE) {
      return;
    }
    accumulator.add(values, 0, 6);
    double whole = accumulator.take();
    for (int cut = 0; cut <= values.length; cut++) {
      accumulator.add(values, 0, cut);
      accumulator.add(values, cut, values.length);
      assertThat(accumulator.take()).isEqualTo(Double.valueOf(whole));
    }
  }

  @Test
  void noneIsOfOneSeriesOnly() {
    assertThatThrownBy(() -> ofLongs("none", "1 2")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> ofDoubles("none", "1 2")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void namesAreThoseOfOpenTsdbInItsOrder() {
    assertThat(String.join(" ", Aggregator.names()))
        .isEqualTo(
            "mult p90 zimsum mimmax sum p50 none p95 ep99r7 pfsum p75 p99 ep99r3 ep95r7 min avg"
                + " ep75r7 dev ep95r3 ep75r3 ep50r7 ep90r7 mimmin p999 ep50r3 ep90r3 ep999r7 last"
                + " max count diff median squareSum ep999r3 first");
  }

  @Test
  void twoPrintOtherNamesThanTheyAreAskedForBy() {
    assertThat(Aggregator.parse("mult")).hasToString("multiply");
    assertThat(Aggregator.parse("none")).hasToString("raw");
    assertThat(Aggregator.parse("squareSum")).hasToString("squareSum");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mean", "SUM", "squaresum", "multiply", "raw", "movingAverage", ""})
  void anotherNameIsUnknown(String name) {
    assertThatThrownBy(() -> Aggregator.parse(name))
        .isInstanceOf(RequestException.class)
        .hasMessage("No such aggregation function: " + name);
  }

  @ParameterizedTest
  @EnumSource
  void integersAreAddedAsTheDoublesThatTheyEqual(Aggregator aggregator) {
    Random random = new Random(aggregator.requestName().hashCode());
    Accumulator integers = aggregator.overDoubles(MemoryLease.untracked());
    Accumulator doubles = aggregator.overDoubles(MemoryLease.untracked());
    for (int bucket = 0; bucket < 2000; bucket++) {
      for (int run = aggregator == Aggregator.NONE ? 0 : random.nextInt(4); run >= 0; run--) {
        int size = aggregator == Aggregator.NONE ? 1 : 1 + random.nextInt(5);
        int from = random.nextInt(3);
        double[] values = new double[from + size];
        if (random.nextInt(3) == 0) {
          Arrays.setAll(values, i -> ODD[random.nextInt(ODD.length)]);
          integers.add(values, from, values.length);
        } else {
          long[] longs =
              random.ints(values.length).mapToLong(i -> i >> random.nextInt(32)).toArray();
          Arrays.setAll(values, i -> longs[i]);
          integers.addIntegers(longs, from, longs.length);
        }
        doubles.add(values, from, values.length);
      }
      assertThat(integers.take()).isEqualTo(Double.valueOf(doubles.take()));
    }
  }

  /** After some of these, a sum of integers is no longer exact in doubles. */
  private static final double[] ODD = {
    0.1, -0.0, Double.NaN, 1L << 52, -(1L << 53), 1e300, Double.NEGATIVE_INFINITY, -1.5
  };
}
