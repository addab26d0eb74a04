package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query string says has its effect, or the request is refused. */
class QueryStringTest extends RequestCase {
  private static final String BODY =
      "{'start':1500001200,'end':1500001300,'queries':[{'aggregator':'none','metric':'m'}]}";

  @Override
  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.META_TRACKING, "true")
        .with(QuerySettings.ALLOW_DELETE, "true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/query?start=1500001200&start=1500001300&m=sum:m      | start: is given 2 times",
        "/api/query?start=1h-ago&end=1&end=2&m=sum:m               | end: is given 2 times",
        "/api/query?start=1h-ago&tz=UTC&timezone=EST&m=sum:m       | timezone and tz: contradict",
        "/api/query?start=1h-ago&m=sum:m&ms=maybe                  | ms: is neither true nor false",
        "/api/query?start=1h-ago&m=sum:m&ms&ms=false               | ms: is given 2 times",
        "/api/query/last?timeseries=m&back_scan=-1                 | back_scan: is negative: -1",
        "/api/query/last?timeseries=m&resolve=maybe                | resolve: is neither true nor",
        "/api/suggest?type=metrics&max=-1                          | max: is negative: -1",
        "/api/suggest?type=metrics&q=a&q=b                         | q: is given 2 times",
        "/api/cardinality?max=0                                    | max: is less than 1",
        "/api/search/lookup?m=m&use_meta=maybe                     | use_meta: is neither true nor",
        "/api/search/lookup?m=m&m=n                                | m: is given 2 times",
        "/api/tree?treeid=1&treeid=2                               | treeid: is given twice",
        "/api/tree?treeid=1&tree_id=2                              | tree_id: is given twice",
        "/api/annotation?start_time=1&start_time=2                 | start_time: is given 2 times",
        "/api/query?start=1h-ago&m=sum:1m-avg:2m-avg:m             | '2m-avg' contradicts another",
        "/api/query?start=1h-ago&m=sum:rate:rate{counter}:m        | 'rate{counter}' contradicts",
        "/api/query?start=1h-ago&m=sum:rollup_some:m               | rollup_some",
        "/api/query?start=1h-ago&m=sum:m&explain_at=1h-ago         | explain_at: has no effect",
        "/api/cardinality?tagk=host                                | tagk: needs the name of a"
            + " metric",
        "/api/cardinality?metric=                                  | metric: is empty",
        "/api/cardinality?metric=m&tagk=                           | tagk: is empty",
        "/api/cardinality?metric=m&q=x                             | q: has no effect",
        "/api/uid/tsmeta?tsuid=000001000001000001&m=m              | m: has no effect",
        "/api/uid/assign?metric=,                                  | Invalid metric: empty string",
        "/api/query?start=1h-ago&m=sum:m{host=a};sum:m             | sum:m: is not a parameter",
        "/api/query?start=1h-ago&m=sum:m{host=regexp(a&b)}         | b)}: is not a parameter",
        "/api/query?start=yesterday&m=sum:m                        | in start",
        "/api/query?start=2h-ago&end=soon&m=sum:m                  | in end",
        "/api/annotations?start_time=soon                          | in start_time",
        "/api/annotations?start_time=1h-ago&end_time=soon          | in end_time",
        "/api/annotation?start_time=soon                           | in start_time",
        "/api/query?start=1h-ago&m=sum:m&serializer=msgpack        | serializer: is only json",
        "/api/export?end=soon                                      | in end",
        "/api/export?tz=Mars                                       | could not be found: Mars",
        "/api/version?jsonp=a&jsonp=b                              | jsonp: is given 2 times",
      })
  void aParameterThatCanNotBeMeantIsRefused(String uri, String problem) {
    assertThat(respond("GET", uri, "")).startsWith("400 ").contains(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/query?start=1500001200&start=1500001200&m=sum:m&m=max:m&m=sum:m",
        "/api/query?start=1500001200&m=sum:1m-avg:1m-avg:rate:m",
        "/api/query?start=1500001200&m=sum:m&tz=UTC&timezone=UTC&ms=true&arrays=1&show_query=no",
        "/api/query?start=1500001200&m=sum:m&_=1&_=2&unknown=x&unknown=y",
        "/api/query/last?timeseries=m&timeseries=m&resolve&back_scan=0",
        "/api/suggest?type=metrics&max=100000000",
        "/api/search/lookup?m=m&use_meta=FALSE",
        "/api/suggest?type=metrics&serializer=json",
      })
  void whatSaysTheSameOrNothingIsAccepted(String uri) {
    assertThat(respond("GET", uri, "")).startsWith("200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "get", "bogus", ""})
  void anotherMethodIsOnlyThatOfGet(String other) {
    String uri = "/api/annotation?start_time=1500001200&method_override=" + other;
    assertThat(respond("POST", uri, ""))
        .startsWith("400 ")
        .contains("method_override: has no effect with the method POST");
    assertThat(respond("POST", "/api/annotation?start_time=1&notes=n&method_override=post", ""))
        .startsWith("200 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/uid/uidmeta?type=metric&uid=0000001   | uid: 00000001 has 4 bytes, but must have 3",
        "/api/uid/uidmeta?type=tagk&uid=01          | uid: 01 has 1 bytes, but must have 3",
        "/api/uid/tsmeta?tsuid=000001               | '000001' is not the TSUID of a series",
        "/api/uid/tsmeta?tsuid=00000100000100000101 | tsuid: '00000100000100000101' is not",
      })
  void whatCanNotExistIsNotDeleted(String uri, String problem) {
    assertThat(respond("DELETE", uri, "")).startsWith("400 ").contains(problem);
    open(TsdbOptions.openTsdbDefaults().with(Settings.META_TRACKING, "true"));
    assertThat(respond("DELETE", uri, "")).startsWith("204 ");
  }

  @Test
  void otherEndpointsOfUidsAreNotFound() {
    assertThat(respond("GET", "/api/uid", "")).startsWith("404 ").contains("not found: /api/uid'");
    assertThat(respond("GET", "/api/uid/nosuch", "")).startsWith("404 ");
  }

  @Test
  void aFlagThatIsFalseIsNotSet() {
    String uri = "/api/query?" + RANGE + "&m=sum:m&arrays=false&ms=";
    assertThat(respond("GET", uri + "false", "")).contains("'dps':{'1500001200':");
    assertThat(respond("GET", uri + "true", "")).contains("'dps':{'1500001200000':");
  }

  @Test
  void parametersBesideABodyHaveTheirEffect() {
    assertThat(respond("POST", "/api/query?ms&show_tsuids&arrays", BODY))
        .contains("'tsuids':[", "[1500001200000,1]");
    String daily =
        BODY.replace("'metric'", "'downsample':'1dc-sum','metric'")
            .replace("1500001200", "1499000000");
    assertThat(respond("POST", "/api/query?tz=Asia/Tokyo", daily))
        .isEqualTo(
            respond(
                "POST", "/api/query", daily.replace("{'start", "{'timezone':'Asia/Tokyo','start")))
        .isNotEqualTo(respond("POST", "/api/query", daily));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "POST /api/query?start=1h-ago          | `` | start: has no effect",
        "POST /api/query?m=sum:n               | `` | m: has no effect",
        "POST /api/query?ms                    | 'msResolution':false, | msResolution: contradicts",
        "POST /api/query?tz=UTC                | 'timezone':'EST', | timezone: contradicts",
        "POST /api/query/last?back_scan=1      | 'queries':[{'metric':'m'}], | back_scan: has no",
        "POST /api/query/last                  | 'backScan':-1,'queries':[{'metric':'m'}], |"
            + " backScan: is neg",
        "POST /api/query/last                  |"
            + " 'queries':[{'metric':'m','tsuids':['000001000001000001']}], | queries[0]: a metric"
            + " or tags",
        "POST /api/suggest?max=1               | 'type':'metrics', | max: has no effect",
        "POST /api/suggest                     | 'type':'metrics','max':-1, | max: is negative",
        "POST /api/search/lookup?limit=1       | 'metric':'m', | limit: has no effect",
        "PUT /api/annotation?start_time=1      | 'startTime':1, | start_time: has no effect",
        "DELETE /api/annotation?tsuid=0001     | 'startTime':1, | tsuid: has no effect",
        "DELETE /api/annotation/bulk?global    | 'startTime':1, | global: has no effect",
        "POST /api/uid/uidmeta?uid=000001      | 'type':'metric', | uid: has no effect",
        "POST /api/uid/rename?name=x           | 'metric':'m', | name: has no effect",
        "POST /api/uid/assign?metric=x         | 'metric':['y'], | metric: has no effect",
        "DELETE /api/tree?treeid=1             | 'treeId':2, | treeid: has no effect",
        "DELETE /api/tree                      | 'treeId':[1], | treeId: not a text",
        "DELETE /api/tree                      | 'treeId':1,'definition':['true'], | definition:"
            + " not a",
        "POST /api/tree                        | 'treeId':1,'tree_id':2, | tree_id: is given twice",
        "POST /api/tree                        | 'name':['a','b'], | name: not a text",
        "DELETE /api/query?start=1h-ago&m=sum:m | `` | a body needs the method POST",
        "POST /api/query                       |"
            + " 'q':null,'queries':[{'aggregator':'sum','metric':'m','tsuids':['000001000001000001']}],|"
            + " a metric can't be combined",
      })
  void whatIsInVainBesideABodyIsRefused(String request, String members, String problem) {
    String[] words = request.split(" ");
    String rest = members.contains("'q'") ? "'start':1}" : BODY.substring(1);
    String body = "{" + members + (words[1].equals("/api/query/last") ? "'x':null}" : rest);
    if (!words[1].startsWith("/api/query") || words[1].contains("last")) {
      body = "{" + members + "'x':null}";
    }
    assertThat(respond(words[0], words[1], body)).startsWith("400 ").contains(problem);
    assertThat(respond("GET", "/api/suggest?type=metrics", "")).isEqualTo("200 ['m']");
  }

  @Test
  void twoRulesOfOnePlaceAreRefused() {
    respond("POST", "/api/tree", "{'name':'t'}");
    String rule = "{'treeId':1,'level':0,'order':0,'type':'metric','separator':'%s'}";
    String two = "[" + rule.formatted("a") + "," + rule.formatted("b") + "]";
    assertThat(respond("PUT", "/api/tree/rules", two))
        .startsWith("400 ")
        .contains("two rules have the level 0 and the order 0");
    assertThat(respond("GET", "/api/tree?treeid=1", "")).contains("'rules':null");
  }

  @Test
  void inStrictModeTheLastOneCounts() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("GET", "/api/query?start=1h-ago&" + RANGE + "&m=sum:m&ms=false", ""))
        .startsWith("200 ")
        .contains("1500001200000");
    assertThat(respond("GET", "/api/suggest?type=metrics&max=-1", "")).startsWith("200 ");
    assertThat(respond("GET", "/api/query?start=1500001200&m=sum:1m-avg:2m-avg:rollup_x:m", ""))
        .startsWith("200 ");
    assertThat(respond("GET", "/api/uid/assign?metric=,", "")).startsWith("200 ");
    assertThat(respond("POST", "/api/query?start=1&ms&m=sum:n", BODY)).contains("'1500001200':1");
    respond("POST", "/api/tree", "{'name':'t'}");
    assertThat(respond("DELETE", "/api/tree", "{'treeId':[1],'definition':['true']}"))
        .startsWith("204");
  }
}
