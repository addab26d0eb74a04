package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.hourstone.tsd.view.Picture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryCommandTest {
  private static final String POINTS =
      """
      put cpu 1704060000 1 host=a cpu=0
      put cpu 1704060060 2.5 host=a cpu=0
      put cpu 1704060000 10 host=b cpu=0
      put cpu 1704060060 -20.25 host=b cpu=0
      put fast 1704060000000 1 host=a
      put fast 1704060000250 2 host=a
      put fast 1704060001000 3e-7 host=a
      """;

  private final String store = CommandRun.newStore();

  @BeforeEach
  void putPoints() {
    assertThat(CommandRun.withInput(POINTS, "--store", store, "put", "-").err()).isEmpty();
  }

  @Test
  void csvHasNoHeaderIfTheQueryFails() {
    CommandRun run = query("2023/11/14", "none:unknown", "--csv");

    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void jsonHasTheShapeOfApiQuery() {
    CommandRun run = query("2023/12/31", "none:cpu", "sum:cpu", "--json");

    assertThat(run.out())
        .isEqualTo(
            """
            [{"metric":"cpu","tags":{"cpu":"0","host":"a"},"aggregateTags":[],\
            "dps":{"1704060000":1,"1704060060":2.5}},\
            {"metric":"cpu","tags":{"cpu":"0","host":"b"},"aggregateTags":[],\
            "dps":{"1704060000":10,"1704060060":-20.25}},\
            {"metric":"cpu","tags":{"cpu":"0"},"aggregateTags":["host"],\
            "dps":{"1704060000":11,"1704060060":-17.75}}]
            """);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void deletesThePointsInPlaceOfShowingThem() {
    CommandRun run = query("2023/12/31", "none:cpu{host=a}", "none:fast", "--delete");

    assertThat(run.out()).isEqualTo("5 points deleted\n");
    assertThat(run.exitCode()).isZero();
    assertThat(query("2023/12/31", "none:cpu", "--json").out())
        .isEqualTo(
            """
            [{"metric":"cpu","tags":{"cpu":"0","host":"b"},"aggregateTags":[],\
            "dps":{"1704060000":10,"1704060060":-20.25}}]
            """);
    assertThat(query("2023/12/31", "none:cpu", "--delete", "--json").err())
        .contains("--delete shows no points");
  }

  @Test
  void aGraphIsAPictureOfAllSeries(@TempDir Path directory) throws IOException {
    Path base = directory.resolve("g");

    CommandRun run = query("2023/12/31", "none:cpu", "--graph", base.toString(), "--width", "400");

    assertThat(run.out()).isEqualTo(base + ".png: 2 series, 4 points\n");
    assertThat(run.exitCode()).isZero();
    BufferedImage picture = ImageIO.read(base.resolveSibling("g.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(400);
    assertThat(picture.getHeight()).isEqualTo(PlotStyle.HEIGHT);
    assertThat(
            IntStream.of(picture.getRGB(0, 0, 400, PlotStyle.HEIGHT, null, 0, 400))
                .filter(color -> color == 0xff0000ff || color == 0xff008000)
                .distinct())
        .as("colors of the two lines")
        .hasSize(2);
    assertThat(query("2023/12/31", "none:cpu", "--graph", directory + "/no/g").err())
        .isEqualTo("hourstone: --graph " + directory + "/no/g.png: no such file\n");
    assertThat(query("2023/12/31", "none:cpu", "--graph", "/").exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(query("2023/12/31", "none:cpu", "--graph", "g", "--height", "9999").err())
        .contains("--height 9999: must be 100 to 4096");
  }

  /** More points than pixels. */
  @Test
  void aGraphShowsTheExtremesOfManyPoints() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3600; i++) {
      lines
          .append("put many ")
          .append(1704060000 + i)
          .append(i == 1234 ? " 9" : i == 2345 ? " -9" : " 1");
      lines.append(" host=a\n");
    }
    CommandRun.withInput(lines.toString(), "--store", store, "put", "-");
    try (Tsdb db = Tsdb.open(store, TsdbOptions.defaults());
        SeriesCursor cursor =
            db.query(Query.parse("none:many").betweenMillis(1704060000_000L, 1704063600_000L))) {
      List<Integer> shown =
          Picture.shown(Objects.requireNonNull(cursor.next()), 100).boxed().toList();

      assertThat(shown).hasSizeLessThanOrEqualTo(400).isSorted().contains(0, 1234, 2345, 3599);
    }
  }

  @Test
  void aWrongRegularExpressionIsShownOnOneLine() {
    CommandRun run = query("2023/12/31", "sum:cpu{host=regexp([)}");

    assertThat(run.errLines())
        .startsWith("hourstone: not a regular expression: [: Unclosed character class")
        .hasSize(2);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void theTimesOfANarrowChartAreNotWiderThanIt() {
    assertThat(query("2023/12/31", "sum:cpu", "--chart", "--width", "24").outLines())
        .endsWith("2023-12-31 23:00:00 to", "2023-12-31 23:01:00");
  }

  @Test
  void jsonTimesAreSecondsUnlessMillisecondsAreAskedFor() {
    assertThat(query("2023/12/31", "none:fast", "--json").out())
        .contains("\"dps\":{\"1704060000\":2,\"1704060001\":3.0E-7}");
    assertThat(query("2023/12/31", "sum:fast", "--json").out())
        .contains("\"dps\":{\"1704060000\":3,\"1704060001\":3.0E-7}");
    assertThat(query("2023/12/31", "none:fast", "--json", "--ms").out())
        .contains("{\"1704060000000\":1,\"1704060000250\":2,\"1704060001000\":3.0E-7}");
  }

  @Test
  void jsonPointsMayBeArraysAndSeriesMayShowTheirTsuids() {
    String out = query("2023/12/31", "none:fast", "--json", "--arrays", "--show-tsuids").out();

    assertThat(out)
        .isEqualTo(
            "[{\"metric\":\"fast\",\"tags\":{\"host\":\"a\"},\"aggregateTags\":[],"
                + "\"tsuids\":[\"000002000001000001\"],"
                + "\"dps\":[[1704060000,1],[1704060000,2],[1704060001,3.0E-7]]}]\n");
  }

  @Test
  void daysAreThoseOfTheTimeZone() {
    // 22:00 and 22:01 in UTC are the next day in Athens, with functions of queries, too.
    for (String expression : List.of("sum:1dc-count:cpu", "scale(sum:1dc-count:cpu,1)")) {
      for (List<String> zone :
          List.of(
              List.of("query", "--timezone", "Europe/Athens"),
              List.of("--set", "tsd.core.timezone=Europe/Athens", "query"))) {
        List<String> words = new ArrayList<>(List.of("--store", store));
        words.addAll(zone);
        words.addAll(List.of("2024-01-01", "2024-01-01T23:59:59+02:00", expression));

        CommandRun run = CommandRun.of(words.toArray(String[]::new));

        assertThat(run.outLines().get(1)).isEqualTo("  2024-01-01T00:00:00+02:00  4.0");
      }
    }
    assertThat(query("2023-12-31", "sum:1dc-count:cpu", "--timezone", "Mars").err())
        .startsWith("hourstone: --timezone Mars: not a time zone");
  }

  @Test
  void inStrictModeDaysAreOfUtcUnlessTheCommandNamesAZone() {
    String[] days = {"2023-12-31", "2024-01-02", "sum:1dc-count:cpu"};

    CommandRun utc =
        CommandRun.of(
            "--store",
            store,
            "--opentsdb-defaults",
            "--set",
            "tsd.core.timezone=Europe/Athens",
            "query",
            days[0],
            days[1],
            days[2]);
    CommandRun berlin =
        CommandRun.of(
            "--store",
            store,
            "--opentsdb-defaults",
            "query",
            "--timezone=Europe/Athens",
            days[0],
            days[1],
            days[2]);

    assertThat(utc.out()).contains("2023-12-31T02:00:00+02:00  4.0");
    assertThat(berlin.out()).contains("2024-01-01T00:00:00+02:00  4.0");
  }

  @Test
  void gapsAreWrittenAsTheirFillPolicySays() {
    assertThat(query("2023/12/31-23:00", "2023/12/31-23:01", "sum:30s-sum-nan:cpu", "--json").out())
        .contains("\"1704060000\":11.0,\"1704060030\":\"NaN\"");
    assertThat(
            query("2023/12/31-23:00", "2023/12/31-23:01", "sum:30s-sum-null:cpu", "--json").out())
        .contains("\"1704060000\":11.0,\"1704060030\":null");
  }

  @Test
  void theLastPointOfASeriesIsShown() {
    CommandRun run =
        CommandRun.of(
            "--store",
            store,
            "--set",
            "tsd.core.timezone=Europe/Berlin",
            "last",
            "--hours",
            "30",
            "cpu",
            "host=a",
            "cpu=0");

    assertThat(run.out()).isEqualTo("2023-12-31T23:01:00+01:00  2.5  cpu{cpu=0, host=a}\n");
    CommandRun.withInput("put cpu 1600000000 7 host=old cpu=0", "--store", store, "put", "-");
    CommandRun latest = CommandRun.of("--store", store, "last", "cpu", "cpu=0");
    assertThat(latest.outLines().stream().map(line -> line.replaceFirst("\\S+", "")))
        .containsExactly("  2.5  cpu{cpu=0, host=a}", "  -20.25  cpu{cpu=0, host=b}");
    CommandRun.of("--store", store, "mkmetric", "unused");
    CommandRun all = CommandRun.of("--store", store, "last", "--hours", "1", "cpu");
    assertThat(all.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(all.errLines())
        .first()
        .isEqualTo("hourstone: --hours is for one series: give all its tags as TAG=VALUE");
    CommandRun missed = CommandRun.of("--store", store, "last", "unused");
    assertThat(missed)
        .isEqualTo(new CommandRun(ExitCode.FAILED, "", "hourstone: no point found\n"));
  }

  @Test
  void jsonWithoutAnySeriesIsAnEmptyArray() {
    CommandRun run = query("2020/01/01", "2020/01/02", "sum:cpu", "--json");

    assertThat(run.out()).isEqualTo("[]\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theTableAlignsDecimalPointsAndTellsTheZone() {
    CommandRun run = query("2023/12/31", "none:cpu", "avg:fast");

    assertThat(run.out())
        .isEqualTo(
            """
            cpu {cpu=0,host=a}
              2023-12-31T23:00:00+01:00  1
              2023-12-31T23:01:00+01:00  2.5
              2 points

            cpu {cpu=0,host=b}
              2023-12-31T23:00:00+01:00   10
              2023-12-31T23:01:00+01:00  -20.25
              2 points

            fast {host=a}
              2023-12-31T23:00:00.000+01:00  1
              2023-12-31T23:00:00.250+01:00  2
              2023-12-31T23:00:01.000+01:00  3.0E-7
              3 points
            """);
  }

  @Test
  void functionsAroundQueriesAreShownAfterTheQueries() {
    CommandRun run =
        query(
            "2023/12/31",
            "2024/01/02",
            "scale(sum:cpu{host=*},-2)",
            "none:fast",
            "alias(firstDiff(avg:cpu),'change')",
            "--json");

    assertThat(run.out())
        .isEqualTo(
            "[{\"metric\":\"fast\",\"tags\":{\"host\":\"a\"},\"aggregateTags\":[],"
                + "\"dps\":{\"1704060000\":2,\"1704060001\":3.0E-7}},"
                + "{\"metric\":\"cpu\",\"tags\":{\"cpu\":\"0\",\"host\":\"a\"},"
                + "\"aggregateTags\":[],\"dps\":{\"1704060000\":-2,\"1704060060\":-5.0}},"
                + "{\"metric\":\"cpu\",\"tags\":{\"cpu\":\"0\",\"host\":\"b\"},"
                + "\"aggregateTags\":[],\"dps\":{\"1704060000\":-20,\"1704060060\":40.5}},"
                + "{\"metric\":\"change\",\"tags\":{},\"aggregateTags\":[],"
                + "\"dps\":{\"1704060000\":0.0,\"1704060060\":-13.875}}]\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void jsonTellsInfinityAsATextAndAWrongFunctionIsAnError() {
    assertThat(query("2023/12/31", "divide(sum:cpu,sum:fast)", "--json").out())
        .contains("\"1704060000\":\"Infinity\"")
        .contains("\"1704060000\":0.0");
    assertThat(query("2023/12/31", "scale(sum:cpu").errLines())
        .containsExactly("hourstone: missing ) after scale, at character 6 of scale(sum:cpu");
  }

  @Test
  void anAggregateNamesItsSeries() {
    assertThat(query("2023/12/31", "sum:cpu").out())
        .startsWith("cpu {cpu=0} of 2 series that differ in host\n");
  }

  @Test
  void noPointsIsSaidAndNoError() {
    CommandRun table = query("2020/01/01", "2020/01/02", "sum:cpu");
    CommandRun chart = query("2020/01/01", "2020/01/02", "sum:cpu", "--chart");

    assertThat(table)
        .isEqualTo(
            new CommandRun(
                0,
                "no points in this time range\n",
                "hourstone: no points in this time range: the series have points between"
                    + " 2023-12-31T23:00:00+01:00 and 2024-01-01T00:00:00+01:00\n"));
    assertThat(chart).isEqualTo(table);
  }

  @Test
  void whenThereArePointsIsFoundForTheSeriesOfTheQuery() {
    CommandRun.withInput(
        """
        put cpu 1100000000 1 host=old
        put cpu 1500000000 1 host=old
        put cpu 1600000000 1 host=mid
        put cpu 1700000000 1 host=old
        """,
        "--store",
        store,
        "put",
        "-");

    assertThat(query("2020-01-01", "2020-01-02", "sum:cpu{host=old}").err())
        .endsWith("between 2004-11-09T12:00:00+01:00 and 2023-11-15T00:00:00+01:00\n");
    assertThat(query("2021-01-01", "2021-01-02", "sum:cpu{host=mid}").err())
        .endsWith("between 2020-09-13T14:00:00+02:00 and 2020-09-13T15:00:00+02:00\n");
    CommandRun.of("--store", store, "mkmetric", "unused");
    assertThat(query("2021-01-01", "2021-01-02", "sum:unused").err()).isEmpty();
  }

  @Test
  void anUnknownNameIsAnErrorBeforeAnythingIsShown() {
    CommandRun run = query("2023/12/31", "sum:cpu", "sum:cqu", "--json");

    assertThat(run.out()).isEmpty();
    assertThat(run.errLines())
        .containsExactly(
            "hourstone: No such name for 'metrics': 'cqu'; did you mean cpu? (hourstone uid grep"
                + " metrics . lists all)");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aWrongExpressionOrTimeIsAnError() {
    assertThat(query("2023/12/31", "summ:cpu").errLines())
        .contains("hourstone: No such aggregation function: summ");
    assertThat(query("2023/12/31", "summ:cpu").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(query("yesterday", "sum:cpu").err())
        .startsWith("hourstone: START: Invalid time")
        .contains("(times are such as 1h-ago, 2014/02/14 or 1700000000)");
    assertThat(query("999999999999y-ago", "sum:cpu").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void anUnknownNameIsReportedWithSimilarOnes() {
    assertThat(query("2023/12/31", "sum:cpuu").err()).contains("'cpuu'; did you mean cpu? (");
  }

  @Test
  void optionsOfOneFormAreRefusedWithAnother() {
    assertThat(query("2023/12/31", "sum:cpu", "--ms").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(query("2023/12/31", "sum:cpu", "--json", "--width=30").exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(query("2023/12/31", "sum:cpu", "--json", "--chart").exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(query("2023/12/31", "sum:cpu", "--chart", "--width=3").exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void theChartShowsAPlotOfEachSeriesOverOneAxisOfTime() {
    CommandRun run = query("2023/12/31", "none:cpu", "--chart", "--width=48", "--height=2");

    assertThat(run.out())
        .isEqualTo(
            """
            cpu {cpu=0,host=a}
               2.5 ┤                    ⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠉⠉⠉
                 1 ┤⣀⣀⣀⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉
            cpu {cpu=0,host=b}
                10 ┤⠉⠉⠉⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀
            -20.25 ┤                    ⠉⠉⠉⠉⠉⠑⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⣀⣀⣀
                   └────────────────────────────────────────
                    2023-12-31 23:00:00  2023-12-31 23:01:00
            """);
  }

  private CommandRun query(String... words) {
    String[] args = new String[words.length + 5];
    args[0] = "--store";
    args[1] = store;
    args[2] = "--set";
    args[3] = "tsd.core.timezone=Europe/Berlin";
    args[4] = "query";
    System.arraycopy(words, 0, args, 5, words.length);
    return CommandRun.of(args);
  }
}
