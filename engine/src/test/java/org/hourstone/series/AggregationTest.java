package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AggregationTest {
  private static Aggregation aggregation(
      Aggregator aggregator,
      @Nullable Downsample downsample,
      boolean rate,
      Set<NumberQuirk> quirks) {
    return new Aggregation(
        aggregator,
        downsample,
        rate ? RateOptions.DEFAULT : null,
        quirks,
        MemoryLease.untracked(),
        () -> {});
  }

  private static String aggregate(String name, String... series) {
    return aggregate(name, false, series);
  }

  private static String aggregate(String name, boolean earlyDoubles, String... series) {
    return aggregate(
        aggregation(
            Aggregator.parse(name),
            null,
            false,
            earlyDoubles ? Set.of(NumberQuirk.EARLY_DOUBLES) : Set.of()),
        Arrays.stream(series).map(Columns::of).toList());
  }

  private static String aggregate(Aggregation aggregation, List<PointColumn> series) {
    for (int i = 0; i < series.size(); i++) {
      aggregation.add(new byte[] {(byte) i}).addAll(series.get(i));
    }
    PointColumn out = new PointColumn();
    aggregation.finish(out);
    return Columns.text(out);
  }

  /** The aggregate of rates. */
  private static String rates(String name, boolean held, String... series) {
    Set<NumberQuirk> quirks = held ? Set.of(NumberQuirk.HELD_FIRST_RATE) : Set.of();
    return aggregate(
        aggregation(Aggregator.parse(name), null, true, quirks),
        Arrays.stream(series)
            .map(Columns::of)
            .map(column -> Columns.through(column, new RateStep(RateOptions.DEFAULT, quirks)))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "sum, 1=1 2=12 3=19 4=21",
    "min, 1=1 2=2 3=4 4=21",
    "max, 1=1 2=10 3=15 4=21",
    "avg, 1=1 2=6 3=9 4=21",
    "count, 1=1 2=2 3=2 4=1",
    "zimsum, 1=1 2=10 3=4 4=21",
    "mimmin, 1=1 2=10 3=4 4=21",
    "mimmax, 1=1 2=10 3=4 4=21",
    "pfsum, 1=1 2=11 3=14 4=21",
    "first, 1=1 2=0 3=4 4=21",
    "last, 1=1 2=10 3=0 4=21",
    "diff, 1=0 2=8 3=11 4=0",
    "mult, 1=1 2=20 3=60 4=21",
    "dev, 1=0 2=4 3=5 4=0",
    "squareSum, 1=1 2=100 3=16 4=441",
    "median, 1=1 2=10 3=15 4=21",
  })
  void missingPointsAreInterpolatedAndIntegersCutOff(String aggregator, String expected) {
    assertThat(aggregate(aggregator, "1=1 3=4", "2=10 4=21")).isEqualTo(expected);
  }

  @Test
  void onlyWhatADoubleGoesIntoIsADouble() {
    assertThat(aggregate("sum", "1=1 2=2 3=2.5 4=1 5=1")).isEqualTo("1=1 2=2 3=2.5 4=1 5=1");
    assertThat(aggregate("none", "1=1 2=2 3=2.5 4=1")).isEqualTo("1=1 2=2 3=2.5 4=1");
    assertThat(aggregate("sum", "1=1 3=2.5", "2=1")).isEqualTo("1=1 2=2.75 3=2.5");
    assertThat(aggregate("sum", "1=1 2=2", "3=0.5 4=1")).isEqualTo("1=1 2=2 3=0.5 4=1");
  }

  @Test
  void inStrictModeASeriesTurnsToDoublesOnePointBeforeItsFirst() {
    assertThat(aggregate("sum", true, "1=1 2=2 3=2.5 4=1 5=1"))
        .isEqualTo("1=1 2=2.0 3=2.5 4=1 5=1");
    assertThat(aggregate("none", true, "1=1 2=2 3=2.5 4=1")).isEqualTo("1=1 2=2.0 3=2.5 4=1");
  }

  @Test
  void inStrictModeADoubleThatIsToComeFirstCountsToo() {
    assertThat(aggregate("sum", true, "1=1 2=2", "3=0.5 4=1")).isEqualTo("1=1.0 2=2.0 3=0.5 4=1");
  }

  @Test
  void seriesGiveNothingBeforeTheirFirstAndAfterTheirLastPoint() {
    assertThat(aggregate("sum", "1=1 2=1", "4=7 5=7")).isEqualTo("1=1 2=1 4=7 5=7");
  }

  @Test
  void doublesAreInterpolatedOnTheLine() {
    assertThat(aggregate("sum", "0=0.0 4=1.0", "1=10.0")).isEqualTo("0=0.0 1=10.25 4=1.0");
  }

  @Test
  void notANumberIsSkipped() {
    assertThat(aggregate("sum", "1=NaN 2=NaN", "1=3.0 2=NaN")).isEqualTo("1=3.0 2=NaN");
    assertThat(aggregate("avg", "1=NaN", "1=3.0")).isEqualTo("1=3.0");
    assertThat(aggregate("min", "1=NaN", "1=3.0")).isEqualTo("1=3.0");
    assertThat(aggregate("max", "1=NaN", "1=-3.0")).isEqualTo("1=-3.0");
    assertThat(aggregate("count", "1=NaN", "1=3.0")).isEqualTo("1=1.0");
  }

  private static String wrapped(String name, String... series) {
    return aggregate(
        aggregation(Aggregator.parse(name), null, false, Set.of(NumberQuirk.WRAPPED_INTEGERS)),
        Arrays.stream(series).map(Columns::of).toList());
  }

  @Test
  void sumsThatDoNotFitAreDoublesAndWrapAroundInStrictMode() {
    assertThat(aggregate("sum", "1=9223372036854775807", "1=1"))
        .isEqualTo("1=9.223372036854776E18");
    assertThat(wrapped("sum", "1=9223372036854775807", "1=1")).isEqualTo("1=-9223372036854775808");
  }

  @Test
  void linesBetweenIntegersAreCutOffTowardsZeroAndOverflowInStrictMode() {
    assertThat(aggregate("sum", "0=0 3=-4", "1=0")).isEqualTo("0=0 1=-1 3=-4");
    assertThat(aggregate("sum", "0=0 2=9223372036854775807", "1=0"))
        .isEqualTo("0=0 1=4611686018427387903 2=9223372036854775807");
    assertThat(wrapped("sum", "0=0 2=9223372036854775807", "1=0"))
        .isEqualTo("0=0 1=0 2=9223372036854775807");
  }

  @ParameterizedTest
  @CsvSource({
    "zimsum, 1=1.5 2=10.0 3=4.0 4=21.0",
    "pfsum, 1=1.5 2=11.5 3=14.0 4=21.0",
    "mimmin, 1=1.5 2=10.0 3=4.0 4=21.0",
    "mimmax, 1=1.5 2=10.0 3=4.0 4=21.0",
    "count, 1=1.0 2=2.0 3=2.0 4=1.0",
    "first, 1=1.5 2=0.0 3=4.0 4=21.0",
    "last, 1=1.5 2=10.0 3=0.0 4=21.0",
  })
  void absentDoublesAreWhatTheAggregatorWants(String aggregator, String expected) {
    assertThat(aggregate(aggregator, "1=1.5 3=4.0", "2=10.0 4=21.0")).isEqualTo(expected);
  }

  @Test
  void ratesAreHeldUntilTheNextOne() {
    assertThat(rates("sum", false, "1=0 3=10 5=10", "2=0 4=2")).isEqualTo("3=5.0 4=6.0 5=0.0");
    assertThat(rates("count", false, "1=0 3=10 5=10", "2=0 4=2")).isEqualTo("3=1.0 4=2.0 5=1.0");
    assertThat(rates("zimsum", false, "1=0 3=10 5=10", "2=0 4=2")).isEqualTo("3=5.0 4=6.0 5=0.0");
  }

  @Test
  void aHeldFirstRateCountsUntilTheSecondPoint() {
    String[] series = {"1000=5000 1020=5020 1040=5040", "990=100 1010=120 1030=140"};
    assertThat(rates("sum", true, series)).isEqualTo("1010=6.0 1020=2.0 1030=2.0 1040=1.0");
    assertThat(rates("sum", false, series)).isEqualTo("1010=1.0 1020=2.0 1030=2.0 1040=1.0");
  }

  @Test
  void aHeldFirstRateCountsEvenBeforeTheFirstPointButNotWithoutASecond() {
    assertThat(rates("count", true, "1=1 2=2 6=3", "4=1 5=2", "3=1"))
        .isEqualTo("2=2.0 5=2.0 6=1.0");
    assertThat(rates("sum", true, "3=1")).isEmpty();
  }

  @Test
  void whatIsDecidedComesOutAndIsForgotten() {
    Aggregation aggregation = aggregation(Aggregator.SUM, null, false, Set.of());
    PointColumn one = aggregation.add(new byte[] {1});
    PointColumn out = new PointColumn();
    one.addAll(Columns.of("1=1 2=1 4=1"));
    aggregation.advance(3000, out);
    assertThat(Columns.text(out)).isEqualTo("1=1 2=1");
    assertThat(Columns.text(one)).isEqualTo("4=1");
    PointColumn two = aggregation.add(new byte[] {0});
    two.addAll(Columns.of("5=7"));
    aggregation.advance(6000, out);
    assertThat(Columns.text(out)).isEqualTo("1=1 2=1 4=1");
    one.addAll(Columns.of("6=3"));
    aggregation.advance(7000, out);
    assertThat(Columns.text(out)).isEqualTo("1=1 2=1 4=1 5=9");
    aggregation.finish(out);
    assertThat(Columns.text(out)).isEqualTo("1=1 2=1 4=1 5=9 6=3");
  }

  @Test
  void seriesAreTakenInTheOrderOfTheirKeysWheneverTheyAreFound() {
    Aggregation aggregation = aggregation(Aggregator.DIFF, null, false, Set.of());
    PointColumn out = new PointColumn();
    aggregation.add(new byte[] {2}).addAll(Columns.of("1=10 3=10"));
    aggregation.add(new byte[] {(byte) 0x80}).addAll(Columns.of("1=15 3=15"));
    aggregation.advance(2000, out);
    aggregation.add(new byte[] {1}).addAll(Columns.of("3=1"));
    aggregation.finish(out);
    assertThat(Columns.text(out)).isEqualTo("1=5 3=14");
  }

  @Test
  void bucketsFilledWithNothingMayComeLateButOthersKeepAllToTheEnd() {
    for (String fill : new String[] {"nan", "zero"}) {
      Downsample downsample = Downsample.parse("1s-sum-" + fill);
      Aggregation aggregation =
          aggregation(Aggregator.COUNT, downsample, false, EnumSet.allOf(NumberQuirk.class));
      PointColumn out = new PointColumn();
      aggregation.add(new byte[] {1}).addAll(Columns.of("1=1.0 2=1.0 3=1.0"));
      aggregation.advance(3000, out);
      assertThat(Columns.text(out)).isEqualTo(fill.equals("nan") ? "1=1.0 2=1.0" : "");
      String filled = fill.equals("nan") ? "NaN" : "0.0";
      aggregation.add(new byte[] {0}).addAll(Columns.of("1=" + filled + " 2=" + filled + " 3=2.0"));
      aggregation.finish(out);
      assertThat(Columns.text(out))
          .isEqualTo(fill.equals("nan") ? "1=1.0 2=1.0 3=2.0" : "1=2.0 2=2.0 3=2.0");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void partByPartItIsTheSameAsAllAtOnce(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      List<String> names = Aggregator.names();
      Aggregator aggregator = Aggregator.parse(names.get(random.nextInt(names.size())));
      boolean rate = random.nextInt(3) == 0;
      Set<NumberQuirk> quirks =
          random.nextInt(4) == 0 ? EnumSet.allOf(NumberQuirk.class) : Set.of();
      int count = aggregator == Aggregator.NONE ? 1 : 1 + random.nextInt(6);
      List<PointColumn> series = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        series.add(randomPoints(random, rate));
      }
      String expected = aggregate(aggregation(aggregator, null, rate, quirks), series);
      Aggregation parts = aggregation(aggregator, null, rate, quirks);
      PointColumn out = new PointColumn();
      PointColumn[] columns = new PointColumn[count];
      int[] taken = new int[count];
      long until = 0;
      while (until < 60_000) {
        until = Math.min(60_000, until + 1000L * random.nextInt(15));
        for (int i : shuffled(count, random)) {
          int to = series.get(i).firstFrom(until);
          if (to > taken[i]) {
            if (columns[i] == null) {
              columns[i] = parts.add(new byte[] {(byte) i});
            }
            columns[i].addAll(Columns.part(series.get(i), taken[i], to));
            taken[i] = to;
          }
        }
        parts.advance(until, out);
        assertThat(expected).as("seed %d", seed).startsWith(Columns.text(out));
      }
      parts.finish(out);
      assertThat(Columns.text(out)).as("seed %d, %s", seed, aggregator).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void instantsThatAreTakenTogetherAreTheSameAsOneByOne(long seed) {
    Random random = new Random(seed);
    for (String name : Aggregator.names()) {
      Aggregator aggregator = Aggregator.parse(name);
      int count = aggregator == Aggregator.NONE ? 1 : 1 + random.nextInt(5);
      List<PointColumn> series = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        PointColumn points = new PointColumn();
        int types = random.nextInt(3);
        for (int second = random.nextInt(3) * 50; second < 1000; second++) {
          boolean gap = random.nextInt(100) == 0;
          if (!gap && (types == 0 || (types == 1 && random.nextInt(50) > 0))) {
            points.addLong(second * 1000L, random.nextInt(100));
          } else if (!gap) {
            points.addDouble(second * 1000L, random.nextInt(100) / 7.0);
          }
        }
        series.add(points);
      }
      Aggregation together = aggregation(aggregator, null, false, Set.of());
      Aggregation oneByOne = aggregation(aggregator, null, false, Set.of());
      PointColumn out = new PointColumn();
      for (int i = 0; i < count; i++) {
        oneByOne.add(new byte[] {(byte) i}).addAll(series.get(i));
      }
      for (long until = 0; until <= 1_000_000; until += 1000) {
        oneByOne.advance(until, out);
      }
      oneByOne.finish(out);
      assertThat(aggregate(together, series))
          .as("seed %d, %s", seed, name)
          .isEqualTo(Columns.text(out));
    }
  }

  private static PointColumn randomPoints(Random random, boolean rate) {
    PointColumn points = new PointColumn();
    boolean doubles = rate || random.nextBoolean();
    long millis = 1000L * random.nextInt(30);
    for (int i = random.nextInt(20); i >= 0 && millis < 60_000; i--) {
      if (doubles && (rate || random.nextBoolean())) {
        points.addDouble(millis, random.nextInt(9) == 0 ? Double.NaN : random.nextInt(100) / 7.0);
      } else {
        points.addLong(millis, random.nextInt(200) - 100);
      }
      millis += 1000L * (1 + random.nextInt(random.nextInt(5) == 0 ? 20 : 2));
    }
    return points;
  }

  private static List<Integer> shuffled(int count, Random random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    return order;
  }

  @Test
  void rowsGoThroughToTheEnd() {
    // Series 1: 4 and 5 in one cell of the hour 1356998400, 7 in the next; series 2: 10 at 10 s.
    long hour = 1_356_998_400_000L;
    PointColumn one = new PointColumn();
    one.addRow(hour, row("00000010", "040500"));
    one.addRow(hour + 3_600_000, row("0000", "07"));
    PointColumn two = new PointColumn();
    two.addRow(hour, row("00A0", "0A"));
    Aggregation sum = aggregation(Aggregator.SUM, null, false, EnumSet.allOf(NumberQuirk.class));
    assertThat(aggregate(sum, List.of(one, two)))
        .isEqualTo("1356998400=4 1356998401=5 1356998410=15 1357002000=7");

    Downsample downsample = Downsample.parse("1h-sum-zero");
    List<PointColumn> buckets =
        Stream.of(one, two)
            .map(
                column ->
                    Columns.through(
                        column,
                        new DownsampleStep(
                            downsample, hour, hour + 7_199_000, hour, MemoryLease.untracked()),
                        new FillStep(downsample, hour, hour + 7_200_000)))
            .toList();
    Aggregation hours =
        aggregation(Aggregator.SUM, downsample, false, EnumSet.allOf(NumberQuirk.class));
    assertThat(aggregate(hours, buckets)).isEqualTo("1356998400=19.0 1357002000=7.0");
  }

  private static RowPoints row(String qualifier, String value) {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.FAIL, false);
    decoder.start();
    decoder.add(HexFormat.of().parseHex(qualifier), HexFormat.of().parseHex(value), 1);
    RowPoints points = new RowPoints();
    decoder.finish(points);
    return points;
  }

  /** Series that begin one after the other and have three points each, as jobs do. */
  private static long visitsOfSeriesThatComeAndGo(int count) {
    Aggregation aggregation = aggregation(Aggregator.SUM, null, false, Set.of());
    PointColumn out = new PointColumn();
    for (int i = 0; i < count; i++) {
      PointColumn points =
          aggregation.add(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i});
      for (int p = 0; p < 3; p++) {
        points.addLong(1000L * i + 300L * p, 1);
      }
      aggregation.advance(1000L * i, out);
    }
    aggregation.finish(out);
    assertThat(out.size()).isEqualTo(3 * count);
    return aggregation.visits();
  }

  @Test
  void aSeriesThatHasEndedCostsNothing() {
    long few = visitsOfSeriesThatComeAndGo(500);
    long many = visitsOfSeriesThatComeAndGo(5000);
    assertThat(many).isBetween(9 * few, 11 * few);
  }

  @Test
  void onlyAGroupWithPointsThatWaitForTheirTimeIsWaiting() {
    Aggregation aggregation = aggregation(Aggregator.SUM, null, false, Set.of());
    PointColumn out = new PointColumn();
    PointColumn points = aggregation.add(new byte[] {1});
    points.addLong(1000, 1);
    points.addLong(2000, 2);
    aggregation.advance(1500, out);
    assertThat(aggregation.isWaiting()).isTrue();
    aggregation.advance(2500, out);
    assertThat(aggregation.isWaiting()).isFalse();
    assertThat(Columns.text(out)).isEqualTo("1=1 2=2");
  }

  /** The points of a series that is alone for a while are passed on. */
  @Test
  void aSingleValueIsPassedOnAsItIsAggregated() {
    double[] values = {
      1.5, 0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };
    for (Aggregator aggregator : Aggregator.values()) {
      if (aggregator.passesOnSingleValues()) {
        Accumulator accumulator = aggregator.overDoubles(MemoryLease.untracked());
        for (double value : values) {
          accumulator.add(new double[] {value}, 0, 1);
          assertThat(Double.doubleToLongBits(aggregator.ofSingle(value)))
              .as("%s of %s", aggregator, value)
              .isEqualTo(Double.doubleToLongBits(accumulator.take()));
        }
        for (long value : new long[] {Long.MIN_VALUE, -7, 0, 7, Long.MAX_VALUE}) {
          assertThat(aggregator.overLongs().of(new long[] {value}, 1)).isEqualTo(value);
        }
      }
    }
    assertThat(aggregate("sum", "1=1 2=-0.0 3=2", "5=1 6=2", "6=10"))
        .isEqualTo("1=1 2=0.0 3=2 5=1 6=12");
  }
}
