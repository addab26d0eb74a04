package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.Tags;
import org.hourstone.api.request.ApiCall;
import org.hourstone.expression.ExpressionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The functions of {@code /api/query/gexp} as they are meant; how strict mode answers them is
 * recorded.
 */
class FunctionsTest extends ExpressionsCase {
  private void putExample() {
    put("a", WEB01, 0, 10, 10, 20);
    put("b", WEB01, 10, 4, 20, 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sumSeries(sum:a{host=*},sum:b{host=*}) | a{host=web01}: 0=10.0 10=24.0 20=5.0",
        "diffSeries(sum:b{host=*},sum:a{host=*}) | a{host=web01}: 0=-10.0 10=-16.0 20=5.0",
        "multiply(sum:a{host=*},sum:b{host=*}) | a{host=web01}: 0=0.0 10=80.0 20=0.0",
        "divideSeries(sum:a{host=*},sum:b{host=*}) | a{host=web01}: 0=Infinity 10=5.0 20=0.0",
        "sum(sum:a,sum:a,sum:b) | a{host=web01}: 0=20.0 10=44.0 20=5.0",
        "movingAverage(sum:a{host=*},2) | a{host=web01}: 0=0.0 10=15.0",
        "movingAverage(sum:a,'10s') | a{host=web01}: 0=0.0 10=20.0",
        "movingAverage(sum:a,11s) | a{host=web01}: 0=0.0 10=0.0",
        "firstDiff(sum:a{host=*}) | a{host=web01}: 0=0.0 10=10.0",
        "scale(sum:a{host=*},2) | a{host=web01}: 0=20 10=40",
        "scale(sum:a,0.5) | a{host=web01}: 0=5.0 10=10.0",
        "scale(firstDiff(sum:b),-1) | b{host=web01}: 10=-0.0 20=-1.0",
        "absolute(scale(sum:a,-1)) | a{host=web01}: 0=10 10=20",
        "alias(sum:a{host=*},'load of @host') | load of web01{}: 0=10 10=20"
      })
  void functionsComputeWhatTheirPageTells(String expression, String response) {
    putExample();

    assertThat(ask(expression)).containsExactly(response);
  }

  @Test
  void integersThatDoNotFitBecomeDecimals() {
    put("t", WEB01, 0, 1L << 62, 10, -(1L << 62), 20, Long.MIN_VALUE);

    assertThat(ask("scale(sum:t,1)"))
        .containsExactly(
            "t{host=web01}: 0=4611686018427387904 10=-4611686018427387904"
                + " 20=-9223372036854775808");
    assertThat(ask("scale(sum:t,2)"))
        .containsExactly(
            "t{host=web01}: 0=9.223372036854776E18 10=-9223372036854775808"
                + " 20=-1.8446744073709552E19");
    assertThat(ask("scale(sum:t,10000000000000000000000)"))
        .containsExactly(
            "t{host=web01}: 0=4.611686018427388E40 10=-4.611686018427388E40"
                + " 20=-9.223372036854776E40");
    assertThat(ask("absolute(sum:t)"))
        .containsExactly(
            "t{host=web01}: 0=4611686018427387904 10=4611686018427387904"
                + " 20=9.223372036854776E18");
    assertThatThrownBy(() -> ask("scale(sum:t,1" + "0".repeat(400) + ")"))
        .hasMessageContaining("is not a factor that a double can hold");
    assertThatThrownBy(() -> ask("scale(sum:t,0." + "0".repeat(400) + "1)"))
        .hasMessageContaining("is not a factor that a double can hold");
  }

  @Test
  void anAliasKeepsTheSigns() {
    put("t", WEB01, 0, -5, 10, -2.5);

    assertThat(ask("alias(sum:t,cold,outside)")).containsExactly("cold,outside{}: 0=-5 10=-2.5");
  }

  @Test
  void theHighestAreChosenBySeriesWhereverTheyBeginAndEnd() {
    put("h", WEB01, 0, -1, 10, -9);
    put("h", WEB02, 0, -5, 10, -4, 20, -6);
    put("h", Tags.of("host", "web03"), 30, -8.5);

    assertThat(ask("highestMax(sum:h{host=*},2)"))
        .containsExactly("h{host=web01}: 0=-1 10=-9", "h{host=web02}: 0=-5 10=-4 20=-6");
    assertThat(ask("highestCurrent(sum:h{host=*},2)"))
        .containsExactly("h{host=web02}: 0=-5 10=-4 20=-6", "h{host=web03}: 30=-8.5");
  }

  @Test
  void aShiftShowsTheWholeRangeOfAnEarlierTime() {
    put("s", WEB01, -3600, 1, -3590, 2.5, -3500, 3, 0, 100);

    assertThat(ask("shift(sum:s,'1h')")).containsExactly("s{host=web01}: 0=1 10=2.5");
    assertThat(ask("diffSeries(sum:s,timeShift(sum:s,'1hr'))"))
        .containsExactly("s{host=web01}: 0=99.0 10=-2.5");
  }

  @Test
  void seriesAreJoinedByTheirTagsAndKeepTheirOwnInstants() {
    put("a", WEB01, 0, 1, 20, 2);
    put("a", WEB02, 5, 3);
    put("b", WEB02, 5, 4, 7, 5);
    put("b", Tags.of("host", "web03"), 9, 6);

    assertThat(ask("sumSeries(sum:a{host=*},sum:b{host=*})"))
        .containsExactly(
            "a{host=web01}: 0=1.0 20=2.0", "a{host=web02}: 5=7.0 7=5.0", "b{host=web03}: 9=6.0");
  }

  @Test
  void seriesThatCanNotBeDistinguishedAreNotJoined() {
    put("a", WEB01, 0, 1);
    put("a", WEB02, 0, 2);
    put("b", WEB01, 0, 3);

    assertThatThrownBy(() -> ask("sumSeries(alias(sum:a{host=*},x),sum:b)"))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(
            "sumSeries: argument 1 has several series with the tags {}: ambiguous");
  }

  @Test
  void sumsOfRandomSeriesAreThoseOfTheirPointsWhateverTheOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<TreeMap<Integer, Double>> sums =
        List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    Set<String> put = new HashSet<>();
    for (String metric : List.of("r1", "r2", "r3")) {
      for (int host = 0; host < 4; host++) {
        for (int n = random.nextInt(6); n >= 0; n--) {
          int second = random.nextInt(60);
          double value = random.nextInt(1000) / 4.0 + 0.125;
          String name = "h" + host;
          if (put.add(metric + name + " " + second)) {
            put(metric, Tags.of("host", name), second, value);
            sums.get(host).merge(second, value, Double::sum);
          }
        }
      }
    }
    List<String> lines = new ArrayList<>();
    for (int host = 0; host < 4; host++) {
      StringBuilder line = new StringBuilder("{host=h" + host + "}:");
      sums.get(host).forEach((second, v) -> line.append(" " + second + "=" + v));
      lines.add(line.toString());
    }

    for (String order :
        List.of(
            "sumSeries(sum:r1{host=*},sum:r2{host=*},sum:r3{host=*})",
            "sumSeries(sum:r3{host=*},sum:r1{host=*},sum:r2{host=*})",
            "sum(sum(sum:r2{host=*},sum:r3{host=*}),sum:r1{host=*})",
            "sum(sum:r3{host=*},sum(sum:r2{host=*},sum:r1{host=*}))",
            "scale(sum(scale(sum:r1{host=*},2),scale(sum(sum:r2{host=*},sum:r3{host=*}),2)),0.5)")) {
      assertThat(ask(order).stream().map(line -> line.substring(2)).sorted())
          .as("%s, seed %d", order, seed)
          .containsExactlyElementsOf(lines);
    }
  }

  @Test
  void theApiAnswersSeveralExpressionsOneAfterTheOther() {
    putExample();

    assertThat(gexp("ms&show_tsuids&exp=scale(sum:b,2)&exp=absolute(sum:a)").body())
        .isEqualTo(
            "[{\"metric\":\"b\",\"tags\":{\"host\":\"web01\"},\"aggregateTags\":[],"
                + "\"tsuids\":[\"000002000001000001\"],"
                + "\"dps\":{\"1500001210000\":8,\"1500001220000\":10}},"
                + "{\"metric\":\"a\",\"tags\":{\"host\":\"web01\"},\"aggregateTags\":[],"
                + "\"tsuids\":[\"000001000001000001\"],"
                + "\"dps\":{\"1500001200000\":10,\"1500001210000\":20}}]");
    assertThat(gexp("exp=divide(sum:a,sum:b)").body()).contains("\"1500001200\":\"Infinity\"");
  }

  @Test
  void theApiTellsWhatIsWrongWithAnExpression() {
    putExample();

    assertThat(gexp("exp=scale(sum:a").status()).isEqualTo(400);
    assertThat(gexp("exp=scale(sum:a").body()).contains("missing ) after scale, at character 6");
    assertThat(gexp("exp=absolute(sum:nosuch)").body()).contains("nosuch");
    assertThat(gexp("m=sum:a").status()).isEqualTo(400);
    assertThat(api.respond(ApiCall.of("GET", "/api/query/gexp?exp=absolute(sum:a)", "")).body())
        .contains("start");
    assertThat(api.respond(ApiCall.of("POST", "/api/query/gexp?start=1", "{}")).status())
        .isEqualTo(405);
  }
}
