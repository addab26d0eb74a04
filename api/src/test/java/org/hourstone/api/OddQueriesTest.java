package org.hourstone.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of which a part would be without effect, or can't be computed, are refused. */
class OddQueriesTest extends RequestCase {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m=sum:5s-avg-scalar:m                     | 5s-avg-scalar",
        "m=sum:0all-avg-scalar:m                   | 0all-avg-scalar",
        "m=sum:1all-sum:m                          | 1all",
        "m=sum:10sall-sum:m                        | 10sall",
        "m=sum:0allc-sum:m                         | 0allc",
        "m=sum:m&explain=false&explain_at=1500001210 | explain_at: has no effect without explain",
        "m=sum:m&no_annotations&global_annotations | globalAnnotations contradicts noAnnotations",
      })
  void aQueryString(String parameters, String problem) {
    assertThat(respond("GET", "/api/query?" + RANGE + "&" + parameters, ""))
        .startsWith("400 ")
        .contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /api/annotation?start_time=7&end_time=9       | end_time: has no effect",
        "DELETE /api/annotation?start_time=7&end_time=9    | end_time: has no effect",
        "GET /api/annotation?start_time=7&description=d    | description: has no effect",
        "GET /api/annotations?start_time=1&end_time=0      | end timestamp",
        "GET /api/uid/uidmeta?uid=000001&type=metric&notes=n | notes: has no effect",
        "GET /api/uid/tsmeta?m=m&create=true               | create: has no effect",
        "POST /api/uid/tsmeta?tsuid=000001000001000001&create | create: has no effect without m",
        "GET /api/cardinality?metric=m&max=3               | max: has no effect",
        "GET /api/query/running?id=1                       | id: has no effect",
        "GET /q?start=1h-ago&m=sum:m&ascii&json            | ascii and json: contradict",
        "POST /api/put?sync_timeout=5                      | sync_timeout: has no effect without"
            + " sync",
        "POST /api/put?Details                             | Details: is not a parameter of"
            + " /api/put",
        "GET /api/tree/branch?treeid=2&branch=0001         | '0001' is not one of the tree 2",
        "GET /api/suggest?type=metrics&Q=x                 | Q: is not a parameter of /api/suggest;"
            + " its",
        "GET /api/uid/uidmeta?uid=000001&Type=metric       | Type: is not a parameter",
      })
  void otherRequests(String request, String problem) {
    String[] words = request.split(" ");
    assertThat(respond(words[0], words[1], "")).startsWith("400 ").contains(problem);
  }

  @Test
  void aNumberIsAFlagOnlyIfItIsOneOrZero() {
    String body =
        "{'start':1500001200,'msResolution':%s,'queries':[{'aggregator':'sum','metric':'m'}]}";
    for (String flag : new String[] {"2", "-1", "1.5", "9223372036854775808"}) {
      assertThat(respond("POST", "/api/query", body.formatted(flag)))
          .startsWith("400 ")
          .contains("msResolution: neither true nor false");
    }
    assertThat(respond("POST", "/api/query", body.formatted("1"))).contains("'1500001200000'");
    assertThat(respond("POST", "/api/query", body.formatted("0"))).contains("'1500001200'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scale(sum:m,2,3)            | '3' is one argument too many",
        "absolute(sum:m,1)           | '1' is one argument too many",
        "sumSeries(sum:m,sum:m,x)    | 'x' is one argument too many",
        "movingAverage(sum:m,2,'x')  | 'x' is one argument too many",
      })
  void functions(String expression, String problem) {
    String uri = "/api/query/gexp?" + RANGE + "&exp=" + expression;
    assertThat(respond("GET", uri, "")).startsWith("400 ").contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'metrics':[{'id':'a','metric':'m','fillPolicy':{'policy':'zero','value':7}}]"
            + " | metrics[0].fillPolicy.value: has no effect",
        "'metrics':[{'id':'a','metric':'m','fillPolicy':{'policy':'nan','value':0}}]"
            + " | metrics[0].fillPolicy.value: has no effect",
        "'metrics':[{'id':'a','metric':'m','fillPolicy':{'policy':'scalar'}}]"
            + " | metrics[0].fillPolicy: the fill policy scalar needs a value",
        "'metrics':[{'id':'a','metric':'m','fillPolicy':'scalar'}]"
            + " | metrics[0].fillPolicy: the fill policy scalar needs a value",
        "'metrics':[{'id':'a','metric':'m'}],'filters':[{'id':'f'}] | no metric has the filter f",
      })
  void formulas(String members, String problem) {
    String time = "{'time':{'start':'1500001200','end':'1500001300','aggregator':'sum'},";
    assertThat(respond("POST", "/api/query/exp", time + members + "}"))
        .startsWith("400 ")
        .contains(problem);
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("POST", "/api/query/exp", time + members + ",'expressions':null}"))
        .doesNotContain(problem);
  }

  @Test
  void aDownsamplerOfAFormulaHasNoFillInItsAggregator() {
    String body =
        "{'time':{'start':'1500001200','end':'1500001300','aggregator':'sum','downsampler':"
            + "{'interval':'1m','aggregator':'avg-nan'}},'metrics':[{'id':'a','metric':'m'}]}";
    assertThat(respond("POST", "/api/query/exp", body)).startsWith("400 ").contains("avg-nan");
  }

  /** As everywhere in a body. */
  @Test
  void aCustomFieldThatIsNullIsAbsent() {
    String note = "{'startTime':7,'custom':{'a':null,'b':'','c':'x','d':[]}}";
    assertThat(respond("POST", "/api/annotation", note)).contains("'custom':{'b':'','c':'x'}");
  }

  /** What is stored would not be what was sent. */
  @Test
  void aBodyThatIsNotUtf8() {
    byte[] note = "{\"startTime\":7,\"notes\":\"a\u00ffb\"}".getBytes(ISO_8859_1);
    assertThat(bytes("POST", "/api/annotation", note))
        .startsWith("400 ")
        .contains("the body is not UTF-8");
    assertThat(bytes("PATCH", "/api/annotation", note)).startsWith("405 ");
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("404 ");
    byte[] replaced = "{\"startTime\":7,\"notes\":\"a\ufffdb\u00ff\"}".getBytes(UTF_8);
    assertThat(bytes("POST", "/api/annotation", replaced)).contains("'notes':'a\ufffdb\u00ff'");
    open(TsdbOptions.openTsdbDefaults());
    assertThat(bytes("POST", "/api/annotation", note)).contains("'notes':'a\ufffdb'");
  }

  private String bytes(String method, String uri, byte[] body) {
    try (ApiResponse response =
        api.respond(method, uri, "", body, new Disconnection(), Role.all())) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }

  @Test
  void aBody() {
    String body = "{'start':1,%s'queries':[{'aggregator':'sum','metric':'m'%s}]}";
    assertThat(respond("POST", "/api/query", body.formatted("", ",'downsample':'1m-sum-scalar'")))
        .startsWith("400 ")
        .contains("1m-sum-scalar");
    for (String both :
        new String[] {
          "'noAnnotations':true,'globalAnnotations':true,",
          "'globalAnnotations':'true','noAnnotations':1,"
        }) {
      assertThat(respond("POST", "/api/query", body.formatted(both, "")))
          .startsWith("400 ")
          .contains("globalAnnotations contradicts noAnnotations");
    }
    assertThat(
            respond(
                "POST",
                "/api/query?no_annotations",
                body.formatted("'globalAnnotations':true,", "")))
        .startsWith("400 ")
        .contains("contradicts");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m=sum:all-sum:m",
        "m=sum:0all-sum:m",
        "m=sum:m&no_annotations&global_annotations=false",
        "m=sum:m&explain&explain_at=1500001210",
        "m=sum:m&Q=1&Type=x&Name=y",
      })
  void otherQueriesAreNot(String parameters) {
    assertThat(respond("GET", "/api/query?" + RANGE + "&" + parameters, "")).startsWith("200 ");
  }

  @Test
  void inStrictModeTheyAreAsInOpenTsdb() {
    open(TsdbOptions.openTsdbDefaults());
    for (String query :
        new String[] {"m=sum:1all-sum:m", "m=sum:m&no_annotations&global_annotations"}) {
      assertThat(respond("GET", "/api/query?" + RANGE + "&" + query, "")).startsWith("200 ");
    }
  }
}
