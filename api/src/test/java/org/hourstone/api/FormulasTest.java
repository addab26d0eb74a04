package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hourstone.Tags;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The formulas of {@code /api/query/exp} as they are meant; how strict mode answers them is
 * recorded.
 */
class FormulasTest extends ExpressionsCase {
  private static String meta(ApiResponse response) {
    return response.body().replaceAll(".*?\"meta\":(\\[.*?])}\\],\"query\".*", "$1");
  }

  @Test
  void aFormulaIsComputedForEachSetOfTagsAtEachInstant() {
    putTwoHosts();

    ApiResponse response =
        exp(
            METRICS
                + ",'expressions':[{'id':'q','expr':'a / b'}],'outputs':[{'id':'q','alias':'Q'}]");

    assertThat(response.body())
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

  @ParameterizedTest
  @CsvSource({"a*1e400", "a+1e-400", "1.5E+309-a"})
  void numbersThatNoDoubleCanHoldAreRefused(String formula) {
    put("a", Tags.of("host", "web01"), 0, 6);
    String metrics = "'metrics':[{'id':'a','metric':'a','filter':'f'}]";

    ApiResponse refused = exp(metrics + ",'expressions':[{'id':'q','expr':'" + formula + "'}]");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("is too large for a double, or too near to 0");
    ApiResponse zero =
        exp(metrics + ",'expressions':[{'id':'q','expr':'a+0e-400+0.0*1e308+4.9e-324'}]");
    assertThat(rows(zero)).isEqualTo("[[1500001200000,6.0]]");
  }

  @Test
  void anIntersectionKeepsWhatAllVariablesHave() {
    putTwoHosts();
    String join = "'join':{'operator':'intersection'}";

    ApiResponse response = exp(METRICS + ",'expressions':[{'id':'q','expr':'a + b'," + join + "}]");
    assertThat(rows(response)).isEqualTo("[[1500001200000,8.0],[1500001210000,8.0]]");
    assertThat(meta(response)).contains("web01").doesNotContain("web02", "web03");

    put("c", Tags.of("host", "web09"), 0, 1);
    ApiResponse nothing =
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
    ApiResponse joined =
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

    ApiResponse response =
        exp(
            "'metrics':[{'id':'a','metric':'a','filter':'f','aggregator':'none'},{'id':'b','metric':'b','filter':'f'}],'expressions':[{'id':'q','expr':'a"
                + " + b','join':{'operator':'union','useQueryTags':true}}]");

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body())
        .contains("q: two series of a")
        .contains("have the same tags to join");
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
    String value = policy.equals("scalar") ? ",'value':5" : "";
    String fill = "'fillPolicy':{'policy':'" + policy + "'" + value + "}";

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
        "'metrics':[{'id':'a','metric':'a'}],'expressions':[{'id':'x','expr':'a +'}] | malformed"
            + " formula",
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

    // The request has the filter f.
    ApiResponse response = exp(body.replaceFirst("('metric':'(a|nosuch)')}", "$1,'filter':'f'}"));

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains(message);
  }

  @Test
  void whatIsWrongWithTheTimeIsSaid() {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{'end':'now'}", "time: missing start",
                "{}", "missing time",
                "{'start':'1h-ago'}", "time: missing aggregator",
                "{'start':'x','aggregator':'sum'}", "time: ",
                "{'start':'1h-ago','aggregator':'x'}", "time: No such aggregation function: x",
                "{'start':'1h-ago','aggregator':'sum','timezone':'x'}",
                    "timezone specification could not be found: x",
                "{'start':'100','end':'50','aggregator':'sum'}", "must be greater than the start",
                "{'start':'1h-ago','aggregator':'sum','downsampler':{'interval':'1m'}}", "time: ")
            .entrySet()) {
      String body = "{'time':" + wrong.getKey() + ",'metrics':[{'id':'a','metric':'a'}]}";
      ApiResponse response =
          api.respond(ApiCall.of("POST", "/api/query/exp", body.replace('\'', '"')));
      assertThat(response.status()).as(response.body()).isEqualTo(400);
      assertThat(response.body()).contains(wrong.getValue());
    }
    for (String body : List.of("", "{", "[]", "{}")) {
      assertThat(api.respond(ApiCall.of("POST", "/api/query/exp", body)).status()).isEqualTo(400);
    }
    assertThat(api.respond(ApiCall.of("GET", "/api/query/exp", "")).status()).isEqualTo(405);
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

    assertThat(rows(api.respond(ApiCall.of("POST", "/api/query/exp", body))))
        .isEqualTo("[[1500001200000,3.0],[1500001210000,2.0]]");
  }
}
