package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.ExpressionException;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions as they are meant; how strict mode answers them is recorded. */
class ExpressionsTest {
  private static final long START = 1_500_001_200;
  private static final Tags WEB01 = Tags.of("host", "web01");
  private static final Tags WEB02 = Tags.of("host", "web02");

  private final ModelStore store =
      new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z")));
  private Tsdb db;
  private Api api;

  @BeforeEach
  void open() {
    use(TsdbOptions.defaults().with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  private void use(TsdbOptions options) {
    db = Tsdb.over(store, options);
    api = new Api(db);
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(String metric, Tags tags, Object... secondsAndValues) {
    for (int i = 0; i < secondsAndValues.length; i += 2) {
      Instant time = Instant.ofEpochSecond(START + (int) secondsAndValues[i]);
      if (secondsAndValues[i + 1] instanceof Double value) {
        db.put(metric, time, value, tags);
      } else {
        db.put(metric, time, ((Integer) secondsAndValues[i + 1]).longValue(), tags);
      }
    }
    db.flush();
  }

  /** The answer over a minute, one line a series: {@code metric{tags}: second=value …}. */
  private List<String> ask(String expression) {
    List<String> answer = new ArrayList<>();
    Instant start = Instant.ofEpochSecond(START);
    try (SeriesCursor cursor =
        ExpressionEngine.of(db).evaluate(expression, start, start.plusSeconds(60))) {
      cursor.forEach(
          series -> {
            StringBuilder line = new StringBuilder(series.metric() + series.tags() + ":");
            for (int i = 0; i < series.size(); i++) {
              line.append(' ').append(series.millis(i) / 1000 - START);
              line.append('=').append(series.text(i));
            }
            answer.add(line.toString());
          });
    }
    return answer;
  }

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
  void functionsComputeWhatTheirPageTells(String expression, String answer) {
    putExample();

    assertThat(ask(expression)).containsExactly(answer);
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
  void seriesThatCanNotBeToldApartAreNotJoined() {
    put("a", WEB01, 0, 1);
    put("a", WEB02, 0, 2);
    put("b", WEB01, 0, 3);

    assertThatThrownBy(() -> ask("sumSeries(alias(sum:a{host=*},x),sum:b)"))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("sumSeries: several series of argument 1 have the tags {}");
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

  private ApiAnswer gexp(String parameters) {
    return api.answer(
        ApiCall.of(
            "GET",
            "/api/query/gexp?start=" + START + "&end=" + (START + 60) + "&" + parameters,
            ""));
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
    assertThat(gexp("exp=scale(sum:a").body()).contains("no ) to the ( of scale, at character 6");
    assertThat(gexp("exp=absolute(sum:nosuch)").body()).contains("nosuch");
    assertThat(gexp("m=sum:a").status()).isEqualTo(400);
    assertThat(api.answer(ApiCall.of("GET", "/api/query/gexp?exp=absolute(sum:a)", "")).body())
        .contains("start");
    assertThat(api.answer(ApiCall.of("POST", "/api/query/gexp?start=1", "{}")).status())
        .isEqualTo(405);
  }

  private ApiAnswer exp(String body) {
    return api.answer(
        ApiCall.of(
            "POST",
            "/api/query/exp",
            ("{'time':{'start':'"
                    + START
                    + "','end':'"
                    + (START + 60)
                    + "','aggregator':'sum'},"
                    + "'filters':[{'id':'f','tags':[{'type':'wildcard','tagk':'host','filter':'*',"
                    + "'groupBy':true}]}],"
                    + body
                    + "}")
                .replace('\'', '"')));
  }

  private static final String METRICS =
      "'metrics':[{'id':'a','metric':'a','filter':'f'},{'id':'b','metric':'b','filter':'f'}]";

  private void putTwoHosts() {
    put("a", WEB01, 0, 6, 10, 8);
    put("a", WEB02, 0, 1);
    put("b", WEB01, 0, 2, 10, 0);
    put("b", Tags.of("host", "web03"), 20, 7.5);
  }

  private static String rows(ApiAnswer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body().replaceAll(".*?\"dps\":(\\[.*?]),\"dpsMeta.*", "$1");
  }

  private static String meta(ApiAnswer answer) {
    return answer.body().replaceAll(".*?\"meta\":(\\[.*?])}\\],\"query\".*", "$1");
  }

  @Test
  void aFormulaIsComputedForEachSetOfTagsAtEachInstant() {
    putTwoHosts();

    ApiAnswer answer =
        exp(
            METRICS
                + ",'expressions':[{'id':'q','expr':'a / b'}],'outputs':[{'id':'q','alias':'Q'}]");

    assertThat(answer.body())
        .startsWith(
            "{\"outputs\":[{\"id\":\"q\",\"alias\":\"Q\",\"dps\":["
                + "[1500001200000,3.0,\"Infinity\",\"NaN\"],"
                + "[1500001210000,\"Infinity\",\"NaN\",\"NaN\"],"
                + "[1500001220000,\"NaN\",\"NaN\",0.0]],"
                + "\"dpsMeta\":{\"firstTimestamp\":1500001200000,\"lastTimestamp\":1500001220000,"
                + "\"setCount\":3,\"series\":3},"
                + "\"meta\":[{\"index\":0,\"metrics\":[\"timestamp\"]},"
                + "{\"index\":1,\"metrics\":[\"a\",\"b\"],\"commonTags\":{\"host\":\"web01\"},"
                + "\"aggregatedTags\":[]},"
                + "{\"index\":2,\"metrics\":[\"a\"],\"commonTags\":{\"host\":\"web02\"},"
                + "\"aggregatedTags\":[]},"
                + "{\"index\":3,\"metrics\":[\"b\"],\"commonTags\":{\"host\":\"web03\"},"
                + "\"aggregatedTags\":[]}]}],\"query\":{\"name\":null,\"time\":{");
  }

  @Test
  void anIntersectionKeepsWhatAllVariablesHave() {
    putTwoHosts();
    String join = "'join':{'operator':'intersection'}";

    ApiAnswer answer = exp(METRICS + ",'expressions':[{'id':'q','expr':'a + b'," + join + "}]");
    assertThat(rows(answer)).isEqualTo("[[1500001200000,8.0],[1500001210000,8.0]]");
    assertThat(meta(answer)).contains("web01").doesNotContain("web02", "web03");

    put("c", Tags.of("host", "web09"), 0, 1);
    ApiAnswer nothing =
        exp(
            "'metrics':[{'id':'a','metric':'a','filter':'f'},{'id':'c','metric':'c','filter':'f'}],"
                + "'expressions':[{'id':'q','expr':'a + c',"
                + join
                + "}]");
    assertThat(nothing.body())
        .contains("\"dps\":[],")
        .contains("\"setCount\":0,\"series\":0}}]")
        .doesNotContain("\"meta\"");
  }

  @Test
  void seriesMayBeJoinedByTheTagsThatAreFilteredBy() {
    put("a", Tags.of("host", "web01", "dc", "lga"), 0, 6);
    put("b", Tags.of("host", "web01"), 0, 2);
    String formula = ",'expressions':[{'id':'q','expr':'a + b'%s}]";

    assertThat(rows(exp(METRICS + formula.formatted("")))).isEqualTo("[[1500001200000,2.0,6.0]]");
    ApiAnswer joined =
        exp(
            METRICS
                + formula.formatted(
                    ",'join':{'operator':'union','useQueryTags':true,'includeAggTags':false}"));
    assertThat(rows(joined)).isEqualTo("[[1500001200000,8.0]]");
    assertThat(meta(joined)).contains("{\"dc\":\"lga\",\"host\":\"web01\"}");
  }

  @Test
  void seriesThatAreTheSameByTheJoinAreRefused() {
    put("a", Tags.of("host", "web01", "dc", "lga"), 0, 6);
    put("a", Tags.of("host", "web01", "dc", "sjc"), 0, 7);
    put("b", WEB01, 0, 2);

    ApiAnswer answer =
        exp(
            "'filters':[{'id':'f','tags':[{'type':'wildcard','tagk':'host','filter':'*','groupBy':true}]}],"
                + "'metrics':[{'id':'a','metric':'a','filter':'f','aggregator':'none'},{'id':'b','metric':'b','filter':'f'}],'expressions':[{'id':'q','expr':'a"
                + " + b','join':{'operator':'union','useQueryTags':true}}]");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("q: two series of a").contains("have the same tags to join");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "zero | [[1500001200000,8.0,1.0],[1500001210000,8.0,0.0]]",
        "nan | [[1500001200000,8.0,\"NaN\"],[1500001210000,8.0,\"NaN\"]]",
        "null | [[1500001200000,8.0,\"NaN\"],[1500001210000,8.0,\"NaN\"]]",
        "none | [[1500001200000,8.0,\"NaN\"],[1500001210000,8.0,\"NaN\"]]",
        "scalar | [[1500001200000,8.0,6.0],[1500001210000,8.0,10.0]]"
      })
  void whatIsMissingIsFilledAsTheVariableSays(String policy, String rows) {
    put("a", WEB01, 0, 6, 10, 8);
    put("a", WEB02, 0, 1);
    put("b", WEB01, 0, 2, 10, 0);
    String fill = "'fillPolicy':{'policy':'" + policy + "','value':5}";

    assertThat(
            rows(
                exp(
                    ("'metrics':[{'id':'a','metric':'a','filter':'f',%s},"
                                + "{'id':'b','metric':'b','filter':'f',%s}],")
                            .formatted(fill, fill)
                        + "'expressions':[{'id':'q','expr':'a + b'}]")))
        .isEqualTo(rows.replace("\"\"", "\""));
  }

  @Test
  void formulasMayUseEachOtherInAnyOrder() {
    putTwoHosts();
    List<String> formulas =
        List.of(
            "{'id':'x','expr':'a + b'}", "{'id':'y','expr':'x * 2'}", "{'id':'z','expr':'y - x'}");
    String sums =
        "[[1500001200000,8.0,1.0,0.0],[1500001210000,8.0,0.0,0.0],[1500001220000,0.0,0.0,7.5]]";

    for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
      String expressions =
          formulas.get(order[0]) + "," + formulas.get(order[1]) + "," + formulas.get(order[2]);
      assertThat(rows(exp(METRICS + ",'expressions':[" + expressions + "],'outputs':[{'id':'z'}]")))
          .isEqualTo(sums);
    }
  }

  @Test
  void aFormulaThatOthersUseIsFilledAsItSays() {
    put("a", WEB01, 0, 6);
    put("b", WEB01, 0, 2, 10, 4);
    String formulas =
        ",'expressions':[{'id':'x','expr':'a / (a - 6)'%s},{'id':'y','expr':'x + b'}],"
            + "'outputs':[{'id':'y'}]";

    assertThat(rows(exp(METRICS + formulas.formatted(""))))
        .isEqualTo("[[1500001200000,\"Infinity\"],[1500001210000,4.0]]");
    assertThat(
            rows(
                exp(METRICS + formulas.formatted(",'fillPolicy':{'policy':'scalar','value':100}"))))
        .isEqualTo("[[1500001200000,\"Infinity\"],[1500001210000,104.0]]");
  }

  @Test
  void metricsAreOutputsToo() {
    putTwoHosts();

    assertThat(rows(exp(METRICS + ",'outputs':[{'id':'b'}]")))
        .isEqualTo("[[1500001200000,2.0,0.0],[1500001210000,0.0,0.0],[1500001220000,0.0,7.5]]");
    assertThat(exp(METRICS).body()).contains("{\"id\":\"a\",\"dps\"").contains("{\"id\":\"b\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'metrics':[] | missing or empty metrics",
        "'metrics':[{'id':'1','metric':'a'}] | metric 0: its id is '1'",
        "'metrics':[{'id':'a-b','metric':'a'}] | metric 0: its id is 'a-b'",
        "'metrics':[{'id':'a'}] | metric a has no metric's name",
        "'metrics':[{'id':'a','metric':'a','filter':'g'}] | unrecognized filter id g in metric a",
        "'metrics':[{'id':'a','metric':'a','aggregator':'x'}] | metric a: No such aggregation"
            + " function: x",
        "'metrics':[{'id':'a','metric':'a'},{'id':'a','metric':'b'}] | duplicated metric id: a",
        "'metrics':[{'id':'a','metric':'a','fillPolicy':{'policy':'x'}}] | no such fill policy:"
            + " 'x'",
        "'metrics':[{'id':'a','metric':'nosuch'}] | nosuch",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'a','expr':'a'}] | Duplicated"
            + " variable or expression id: a",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x'}] | expression x has no expr",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'1 + 2'}] | expression"
            + " x has no variables: 1 + 2",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'a + c'}] | expression"
            + " x uses 'c', which is neither a metric nor an expression: a + c",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'a +'}] | formula"
            + " can't be understood",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'x + a'}] | Self"
            + " referencing expression found: x",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'y +"
            + " a'},{'id':'y','expr':'x + a'}] | Circular reference found",
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'a','join':{'operator':'cross'}}]"
            + " | join.operator must be union or intersection, not 'cross'",
        "'metrics':[{'id':'a','metric':'a'}],'outputs':[{'id':'q'}] | outputs: 'q' is neither a"
            + " metric nor an expression"
      })
  void whatIsWrongWithARequestIsSaid(String body, String message) {
    putTwoHosts();

    ApiAnswer answer = exp(body);

    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(message);
  }

  @Test
  void whatIsWrongWithTheTimeIsSaid() {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{}", "time: missing start",
                "{'start':'1h-ago'}", "time: missing aggregator",
                "{'start':'x','aggregator':'sum'}", "time: ",
                "{'start':'1h-ago','aggregator':'x'}", "time: No such aggregation function: x",
                "{'start':'1h-ago','aggregator':'sum','timezone':'x'}", "no such timezone: x",
                "{'start':'100','end':'50','aggregator':'sum'}", "must be greater than the start",
                "{'start':'1h-ago','aggregator':'sum','downsampler':{'interval':'1m'}}", "time: ")
            .entrySet()) {
      String body = "{'time':" + wrong.getKey() + ",'metrics':[{'id':'a','metric':'a'}]}";
      ApiAnswer answer = api.answer(ApiCall.of("POST", "/api/query/exp", body.replace('\'', '"')));
      assertThat(answer.status()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains(wrong.getValue());
    }
    for (String body : List.of("", "{", "[]", "{}")) {
      assertThat(api.answer(ApiCall.of("POST", "/api/query/exp", body)).status()).isEqualTo(400);
    }
    assertThat(api.answer(ApiCall.of("GET", "/api/query/exp", "")).status()).isEqualTo(405);
  }

  @Test
  void aRequestForTooManyValuesIsRefused() {
    putTwoHosts();
    db.close();
    use(db.engine().options().with(Settings.EXPRESSION_MAX_VALUES, "14"));
    String formula = ",'expressions':[{'id':'q','expr':'a + b'}]";
    String refusal = "more than 14 values (hourstone.expression.max_values)";

    // The queries return 6 values, b has 6 in its table, and q has 9.
    assertThat(exp(METRICS + ",'outputs':[{'id':'b'}]").status()).isEqualTo(200);
    assertThat(exp(METRICS + formula + ",'outputs':[{'id':'b'}]").status()).isEqualTo(200);
    for (String outputs : List.of("{'id':'q'}", "{'id':'b'},{'id':'b'}", "{'id':'a'},{'id':'b'}")) {
      ApiAnswer answer = exp(METRICS + formula + ",'outputs':[" + outputs + "]");
      assertThat(answer.status()).as(outputs).isEqualTo(413);
      assertThat(answer.body()).contains(refusal);
    }

    db.close();
    use(db.engine().options().with(Settings.EXPRESSION_MAX_VALUES, "4"));
    assertThat(gexp("exp=scale(sum:b,2)").status()).isEqualTo(200);
    assertThat(gexp("exp=scale(sum:b,2)&exp=absolute(sum:b)").status()).isEqualTo(200);
    assertThat(gexp("exp=scale(sum:b,2)&exp=absolute(sum:a)").status()).isEqualTo(413);
  }

  @Test
  void aRequestHoldsItsMemoryUntilTheResponseIsWritten() {
    putTwoHosts();
    List<Supplier<ApiAnswer>> requests =
        List.of(
            () -> gexp("exp=scale(sum:a,2)"),
            () -> exp(METRICS + ",'expressions':[{'id':'q','expr':'a + b'}]"));
    for (Supplier<ApiAnswer> request : requests) {
      ApiAnswer answer = request.get();
      assertThat(db.runningQueries().list()).hasSize(1);
      assertThat(db.runningQueries().heldBytes()).isPositive();
      answer.body();
      assertThat(db.runningQueries().list()).isEmpty();
      assertThat(db.runningQueries().heldBytes()).isZero();
    }
    ask("scale(sum:a,2)");
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void anOutputCanBeCancelledWhileItIsWritten() {
    putTwoHosts();
    List<Supplier<ApiAnswer>> requests =
        List.of(() -> exp(METRICS), () -> gexp("exp=scale(sum:a,2)"));
    for (Supplier<ApiAnswer> request : requests) {
      ApiAnswer answer = request.get();
      db.runningQueries().kill(db.runningQueries().list().get(0).id(), "enough");
      assertThatThrownBy(answer::body).isInstanceOf(QueryCancelledException.class);
      assertThat(db.runningQueries().list()).isEmpty();
    }
  }

  @Test
  void aLongOutputIsWrittenInPieces() throws IOException {
    for (int i = 0; i < 60; i++) {
      for (int host = 0; host < 40; host++) {
        put("long", Tags.of("host", "h" + host), i, host);
      }
    }
    List<Integer> pieces = new ArrayList<>();
    boolean[] closed = {false};
    try (ApiAnswer answer = exp("'metrics':[{'id':'a','metric':'long','filter':'f'}]")) {
      answer.writeTo(
          new OutputStream() {
            @Override
            public void write(int b) {
              pieces.add(1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
              pieces.add(length);
            }

            @Override
            public void close() {
              closed[0] = true;
            }
          });
    }
    assertThat(pieces).hasSizeGreaterThan(1).allMatch(length -> length <= 1 << 14);
    assertThat(closed[0]).isFalse();
  }

  @Test
  void downsamplingMakesSeriesMeet() {
    put("a", WEB01, 1, 6, 12, 8);
    put("b", WEB01, 3, 2, 19, 4);
    String body =
        ("{'time':{'start':'%d','end':'%d','aggregator':'sum',"
                + "'downsampler':{'interval':'10s','aggregator':'avg'}},"
                + "'metrics':[{'id':'a','metric':'a'},{'id':'b','metric':'b'}],"
                + "'expressions':[{'id':'q','expr':'a / b'}]}")
            .formatted(START, START + 60)
            .replace('\'', '"');

    assertThat(rows(api.answer(ApiCall.of("POST", "/api/query/exp", body))))
        .isEqualTo("[[1500001200000,3.0],[1500001210000,2.0]]");
  }
}
