package org.hourstone.testing.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference gives the numbers that the contract was found to have. */
class ReferenceVectorsTest {
  private static final long HOUR = 1_356_998_400;

  private final PutLines points = new PutLines();

  private void put(String host, String values) {
    for (String point : values.split(" ")) {
      String[] parts = point.split("@");
      points.put("put m " + parts[1] + " " + parts[0] + " host=" + host);
    }
  }

  /** The points of the only result, as {@code milliseconds=value}. */
  private String ask(Mode mode, Object start, Object end, String query) {
    String request =
        "{'start':'%s','end':'%s','msResolution':true,'timezone':'UTC','queries':[{'metric':'m',%s}]}"
            .formatted(start, end, query);
    List<Result> results = new Reference(points, mode, what -> {}).answer(json(request));
    assertThat(results).hasSize(1);
    return String.join(" ", results.get(0).points());
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String ask(String query) {
    return ask(Mode.STRICT, 0, 3600, query);
  }

  @ParameterizedTest
  @CsvSource({
    "10s-sum, 0=3.0 10000=3.0 20000=4.0 30000=5.0",
    "10s-count, 0=2.0 10000=1.0 20000=1.0 30000=1.0",
    "10s-sum-zero, 0=3.0 10000=3.0 20000=4.0 30000=5.0 40000=0.0 50000=0.0",
  })
  void bucketsAreCountedFrom1970(String downsample, String expected) {
    put("a", "1@1 2@5 3@11 4@25 5@31");
    assertThat(ask(Mode.STRICT, 0, 59, "'aggregator':'sum','downsample':'" + downsample + "'"))
        .isEqualTo(expected);
  }

  @Test
  void theWholeRangeIsWithoutItsEnd() {
    put("a", "1@1 2@5 3@11 4@25 5@31");
    String query = "'aggregator':'sum','downsample':'0all-sum'";
    assertThat(ask(Mode.STRICT, "5000ms", "31000ms", query)).isEqualTo("5000=9.0");
    assertThat(ask(Mode.STRICT, "5000ms", "31001ms", query)).isEqualTo("5000=14.0");
  }

  @ParameterizedTest
  @CsvSource({
    "1nc-sum, 1356998400000=3.0 1359676800000=3.0",
    "1wc-sum, 1356825600000=1.0 1357430400000=2.0 1360454400000=3.0",
    "7dc-sum, 1356998400000=1.0 1357603200000=2.0 1360022400000=3.0",
  })
  void bucketsOfACalendarBeginWithItsUnits(String downsample, String expected) {
    put("a", "1@1356998400 2@1357862400 3@1360454400");
    assertThat(
            ask(
                Mode.STRICT,
                1356500000,
                1361000000,
                "'aggregator':'sum','downsample':'" + downsample + "'"))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "sum, 1 12 19 21",
    "zimsum, 1 10 4 21",
    "mimmin, 1 10 4 21",
    "mimmax, 1 10 4 21",
    "pfsum, 1 11 14 21",
    "count, 1 2 2 1",
    "first, 1 0 4 21",
    "last, 1 10 0 21",
  })
  void absentPointsAreMadeUpByTheAggregator(String aggregator, String expected) {
    put("a", "1@1 4@3");
    put("b", "10@2 21@4");
    assertThat(ask("'aggregator':'" + aggregator + "'").replaceAll("\\d+=", ""))
        .isEqualTo(expected);
  }

  @Test
  void aSeriesTurnsToDoublesOnePointEarlyInStrictMode() {
    put("a", "1@1 2@2 2.5@3 1@4 1@5");
    assertThat(ask("'aggregator':'sum'")).isEqualTo("1000=1 2000=2.0 3000=2.5 4000=1 5000=1");
    assertThat(ask(Mode.DEFAULT, 0, 3600, "'aggregator':'sum'"))
        .isEqualTo("1000=1 2000=2 3000=2.5 4000=1 5000=1");
  }

  @ParameterizedTest
  @CsvSource({
    "counter, false, 1010000=-6552.5 1020000=4.5",
    "counterMax, 65535, 1010000=1.0 1020000=4.5",
    "resetValue, 100, 1010000=0.0 1020000=4.5",
    "dropResets, true, 1020000=4.5",
  })
  void countersMayBeginAgain(String option, String value, String expected) {
    put("a", "65530@1000 5@1010 50@1020");
    String options = "{'counter':true,'" + option + "':" + value + "}";
    assertThat(ask("'aggregator':'sum','rate':true,'rateOptions':" + options)).isEqualTo(expected);
  }

  @Test
  void theFirstValueIsHeldAsARateInStrictMode() {
    put("a", "5000@1000 5020@1020 5040@1040");
    put("b", "100@990 120@1010 140@1030");
    String rate = "'aggregator':'sum','rate':true";
    assertThat(ask(rate)).isEqualTo("1010000=6.0 1020000=2.0 1030000=2.0 1040000=1.0");
    assertThat(ask(Mode.DEFAULT, 0, 3600, rate))
        .isEqualTo("1010000=1.0 1020000=2.0 1030000=2.0 1040000=1.0");
  }

  @ParameterizedTest
  @CsvSource({
    "avg, 2, 2.5",
    "median, 3, 3.0",
    "dev, 1, 1.118033988749895",
    "p50, 2, 2.5",
    "p90, 4, 4.0",
    "ep90r7, 3, 4.0",
    "diff, 3, 3.0",
    "mult, 24, 24.0",
    "count, 4, 4.0",
    "squareSum, 30, 30.0",
    "first, 1, 1.0",
    "last, 4, 4.0",
  })
  void functionsHaveALongAndADoubleBranch(String name, long ofLongs, double ofDoubles) {
    assertThat(Functions.ofLongs(name, List.of(1L, 2L, 3L, 4L))).isEqualTo(ofLongs);
    assertThat(Functions.ofDoubles(name, List.of(1.0, 2.0, 3.0, 4.0))).isEqualTo(ofDoubles);
  }

  @ParameterizedTest
  @CsvSource({
    "sum, NaN 1 2, 3.0",
    "sum, NaN NaN, NaN",
    "min, Infinity, NaN",
    "max, NaN 2 1, 2.0",
    "avg, NaN 1 2, 1.5",
    "diff, NaN 1 4, 3.0",
    "diff, 1 4 NaN, NaN",
    "mult, 2 NaN, NaN",
    "count, 2 NaN, 1.0",
    "first, NaN 2, NaN",
    "last, NaN 2, 2.0",
    "p50, NaN 1 2, 1.5",
    "dev, NaN 7, 0.0",
  })
  void whatIsNotANumberIsSkippedOrNot(String name, String values, Double expected) {
    List<Double> doubles = Arrays.stream(values.split(" ")).map(Double::valueOf).toList();
    assertThat(Functions.ofDoubles(name, doubles)).isEqualTo(expected);
  }

  @Test
  void linesAreDrawnAcrossHours() {
    put("a", "4@" + HOUR + " 5@" + (HOUR + 1) + " 7@" + (HOUR + 3600));
    put("b", "10@" + (HOUR + 10));
    assertThat(ask(Mode.STRICT, HOUR, HOUR + 7199, "'aggregator':'sum'"))
        .isEqualTo("1356998400000=4 1356998401000=5 1356998410000=15 1357002000000=7");
    String filled = "'aggregator':'sum','downsample':'1h-sum-zero'";
    assertThat(ask(Mode.STRICT, HOUR, HOUR + 7199, filled))
        .isEqualTo("1356998400000=19.0 1357002000000=7.0");
  }

  @ParameterizedTest
  @CsvSource({
    "1356998400000, 1357002000000, , 1356998400, 1357005600",
    "1357001000000, 1357001999000, , 1356998400, 1357005600",
    "1357001000000, 1357001998000, , 1356998400, 1357002000",
    "1357001000000, 1357041998000, 7h-sum, 1356994800, 1357045200",
    "1357001000000, 1357001998000, 1d-sum, 1356998400, 1357084800",
    "1357001000000, 1357001998000, 1n-sum, 1355616000, 1358208000",
    "1357001000000, 1357001998000, 0all-sum, 1356998400, 1357002000",
  })
  void wholeHoursAreRead(long start, long end, @Nullable String downsample, long from, long to) {
    Window window =
        Window.nominal(
            start,
            end,
            downsample == null
                ? null
                : Downsampling.parse(downsample, false, ZoneId.of("UTC"), Mode.DEFAULT));
    assertThat(window.scanStartMillis()).isEqualTo(from * 1000);
    assertThat(window.scanStopMillis()).isEqualTo(to * 1000);
  }

  @Test
  void anInfiniteResultIsAnError() {
    put("a", "1.7e308@1");
    put("b", "1.7e308@1");
    assertThatThrownBy(() -> ask("'aggregator':'sum'")).isInstanceOf(ArithmeticException.class);
  }
}
