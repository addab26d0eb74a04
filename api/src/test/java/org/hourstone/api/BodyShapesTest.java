package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every body is read by the same rules, and what it can't mean is refused by its place. */
class BodyShapesTest extends RequestCase {
  private static final String EXP =
      "{'time':{'start':'1h-ago','aggregator':'sum'},'metrics':[{'id':'a','metric':'m'}]";

  @Override
  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_REALTIME_UID, "true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/api/search/lookup | {'metric':'m','tags':{'host':'a'}}      | tags: not an array",
        "/api/annotation    | {'startTime':9,'notes':'a\\ud800b'}     | notes: has a half of a"
            + " pair",
        "/api/annotation    | {'startTime':9,'custom':{'a':'\\udc00'}} | custom.a: has a half of a",
        "/api/annotation    | {'startTime':9,'custom':{'\\udc00':'a'}} | surrogate in field name",
        "/api/annotation    | {'startTime':9,'custom':{'\\ud800':'a'}} | surrogate",
        "/api/uid/uidmeta   | {'type':'metric','uid':'000001','notes':'\\udc00\\ud800'} | notes:"
            + " ha",
        "/api/uid/tsmeta    | {'tsuid':'000001000001000001','units':'\\ud800'} | units: has a half",
        "/api/uid/tsmeta    | {'tsuid':'000001000001000001','max':1e400} | max: out of range: 1E+4",
        "/api/uid/tsmeta    | {'tsuid':'000001000001000001','min':'-1e400'} | min: out of range",
        "/api/uid/tsmeta    | {'tsuid':'000001000001000001','min':-1e-400} | min: out of range:"
            + " -1E",
        "/api/query         | {'start':1,'queries':[{'percentiles':[5,1e-400]}]} | percentiles[1]:"
            + " out of range",
        "/api/query         | {'start':1,'queries':[{'percentiles':['1e-400']}]} | percentiles[0]:"
            + " out of range",
        "/api/query         | {'start':1,'queries':[{'percentiles':[null]}]} | percentiles[0]: not"
            + " a",
        "/api/query         | {'start':1,'queries':[{'percentiles':[50,{}]}]} | percentiles[1]:"
            + " not",
        "/api/query/exp     | {'time':{'start':'soon','aggregator':'sum'}} | time: start: Invalid"
            + " t",
        "/api/query/exp     | {'time':{'start':'1h-ago','end':'x'}}   | time: end: Invalid time",
        "/api/query         | {'start':'soon','queries':[{}]}         | in start",
        "/api/tree          | {'name':'a\\ud800'}                    | name: has a half of a pair",
        "/api/search/lookup | {'metric':'m','tags':'host=a'}          | tags: not an array",
        "/api/search/lookup | {'metric':'m','tags':['host=a']}        | tags[0]: not an object",
        "/api/search/lookup | {'metric':'m','tags':[{'host':'a'}]}    | tags[0].host: unknown",
        "/api/search/lookup | {'metric':'m','tags':[{}]}              | tags[0]: neither a key nor",
        "/api/search/lookup | {'metric':'m','tags':[null]}            | tags[0]: not an object",
        "/api/search/lookup | {'metric':['m']}                        | metric: not a text",
        "/api/search/lookup | {'metric':'m','limit':'abc'}            | limit: not a whole number",
        "/api/search/lookup | {'metric':'m','limit':1.5}              | limit: not a whole number",
        "/api/search/lookup | {'metric':'m','limit':99999999999}      | limit: out of range",
        "/api/search/lookup | {'metric':'m','limit':-1}               | limit: is negative: -1",
        "/api/search/lookup | {'metric':'m','useMeta':'no'}           | useMeta: neither true nor",
        "/api/uid/assign    | {'metric':'assign.one'}                 | metric: not an array",
        "/api/uid/assign    | {'metric':{'a':'assign.four'}}          | metric: not an array",
        "/api/uid/assign    | {'metric':5}                            | metric: not an array",
        "/api/uid/rename    | {'metric':['m'],'name':'n'}             | metric: not a text",
        "/api/query/last    | {'queries':{'metric':'m'}}              | queries: not an array",
        "/api/query/last    | {'queries':['m']}                       | queries[0]: not an object",
        "/api/query/last    | {'queries':[{'metric':'m','tags':[1]}]} | queries[0].tags: not an",
        "/api/query/last    | {'queries':[{'tsuids':'0001'}]}         | queries[0].tsuids: not an",
        "/api/query/last    | {'queries':[{'metric':{'a':1}}]}        | queries[0].metric: not a",
        "/api/query/last    | {'queries':[{'metric':'m'}],'backScan':'x'} | backScan: not a whole",
        "/api/query/last    | {'queries':[{'metric':'m'}],'resolveNames':'x'} | resolveNames: nei",
        "/api/query         | {'start':1,'queries':{'metric':'m'}}    | queries: not an array",
        "/api/query         | {'start':1,'queries':[[1]]}             | queries[0]: not an object",
        "/api/query         | {'start':1,'queries':[{'tags':['a']}]}  | queries[0].tags: not an ob",
        "/api/query         | {'start':1,'queries':[{'filters':{'a':1}}]} | queries[0].filters:"
            + " not",
        "/api/query         | {'start':1,'queries':[{'tags':{'a':[1]}}]}  | queries[0].tags.a: not",
        "/api/query         | {'start':1,'queries':[{'filters':[{'type':'wildcard','tagk':'a',"
            + "'filter':['*']}]}]} | queries[0].filters[0].filter: not a text",
        "/api/query         | {'start':1,'queries':[{'filters':[{'type':'wildcard','tagk':'a',"
            + "'filter':'*','groupBy':'yes'}]}]} | queries[0].filters[0].groupBy: neither true",
        "/api/query         | {'start':1,'queries':[{'rateOptions':'counter'}]} | .rateOptions:"
            + " not",
        "/api/query         | {'start':1,'queries':[{'rateOptions':{'counterMax':1.5}}]} |"
            + " counterM",
        "/api/query         | {'start':1,'queries':[{'percentiles':['x']}]} | percentiles[0]: not",
        "/api/query         | {'start':1,'queries':[{'rollupUsage':'raw'}]} | no such usage of"
            + " rollups",
        "/api/query/last    | {'queries':[{'metric':'m','tags':{'host':''}}]} | queries[0].tags: a"
            + " tag",
        "/api/query/last    | {'queries':[{'metric':'m','tags':{'':'a'}}]}    | queries[0].tags: a"
            + " tag",
        "/api/uid/tsmeta?m=m | {'tsuid':'000001000001000001','notes':'n'}    | can't be combined",
        "/api/annotation    | {'startTime':1500001300.5,'notes':'n'}  | startTime: not a whole",
        "/api/annotation    | {'startTime':99999999999999999,'notes':'n'} | startTime:"
            + " 9999999999999",
        "/api/annotation    | {'startTime':[1],'notes':'n'}           | startTime: not a whole",
        "/api/annotation    | {'startTime':1,'notes':{'a':1}}         | notes: not a text",
        "/api/annotation    | {'startTime':1,'custom':'c'}            | custom: not an object",
        "/api/annotation    | {'startTime':1,'custom':{'a':[1]}}      | custom.a: not a text",
        "/api/uid/uidmeta   | {'uid':['000001'],'type':'metric'}      | uid: not a text",
        "/api/uid/tsmeta    | {'tsuid':'000001000001000001','max':[1]} | max: not a number",
        "/api/uid/tsmeta    | {'tsuid':{'a':1}}                       | tsuid: not a text",
        "/api/suggest       | {'type':'metrics','q':['m']}            | q: not a text",
        "/api/tree          | {'name':{'a':1}}                        | name: not a text",
        "/api/tree/rule     | {'treeId':1,'regex':[{'a':1}]}          | regex: not a text",
      })
  void aMemberOfAnotherTypeIsNamed(String uri, String body, String place) {
    assertThat(respond("POST", uri, body)).startsWith("400 ").contains(place);
    assertThat(db.uids().suggest(UidKind.METRIC, "assign", 9)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "metrics | {'a':1}                                        | metrics: not an array",
        "metrics | ['m']                                          | metrics[0]: not an object",
        "metrics | [{'id':'a','metric':'m','fillPolicy':5}]       | metrics[0].fillPolicy: not an",
        "metrics | [{'id':'a','metric':'m','fillPolicy':'some'}]  | no such fill policy: 'some'",
        "metrics | [{'id':'a','metric':'m','fillPolicy':{'policy':'scalar','value':1e-400}}] |"
            + " metrics[0].fillPolicy.value: out of range: 1E-400",
        "metrics | [{'id':['a'],'metric':'m'}]                    | metrics[0].id: not a text",
        "filters | {'id':'f'}                                     | filters: not an array",
        "filters | [{'id':'f','tags':{'a':'b'}}]                  | filters[0].tags: not an array",
        "filters | [{'id':'f','explicitTags':'maybe'}]            | filters[0].explicitTags: nei",
        "expressions | {'id':'e'}                                 | expressions: not an array",
        "expressions | [{'id':'e','expr':'a','join':'union'}]     | expressions[0].join: not an",
        "outputs | {'id':'a'}                                     | outputs: not an array",
        "outputs | ['a']                                          | outputs[0]: not an object",
        "time    | 'now'                                          | time: not an object",
        "time    | {'start':'1h-ago','aggregator':'sum','downsampler':'1m-avg'} |"
            + " time.downsampler:",
      })
  void aFormulasRequestIsReadByTheSameRules(String member, String value, String place) {
    String others =
        switch (member) {
          case "time" -> EXP.replaceFirst("'time':\\{.*?},", "");
          case "metrics" -> EXP.replaceFirst(",'metrics':\\[.*]", "");
          default -> EXP;
        };
    String body = others + ",'" + member + "':" + value + "}";
    assertThat(respond("POST", "/api/query/exp", body)).startsWith("400 ").contains(place);
  }

  /** Of which a reader would else take one, also where it deletes. */
  @Test
  void aRepeatedMemberIsRefused() {
    for (String body :
        List.of(
            EXP + ",'metrics':[]}",
            "{'start':1,'queries':[{'aggregator':'sum','metric':'m','tags':{'h':'a'},'tags':{}}]}",
            "{'start':1,'queries':[{'aggregator':'sum','metric':'m','tags':{'h':'a','h':'b'}}]}")) {
      String uri = body.startsWith(EXP) ? "/api/query/exp" : "/api/query";
      assertThat(respond("POST", uri, body)).startsWith("400 ").contains("Duplicate field");
    }
    assertThat(respond("POST", "/api/uid/assign", "{'metric':['x.a'],'metric':['x.b']}"))
        .startsWith("400 ");
    assertThat(respond("POST", "/api/uid/rename", "{'metric':'a','tagk':'b','name':'c'}"))
        .startsWith("400 ")
        .contains("two kinds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "{}"})
  void anEmptyListOrObjectIsAbsentEverywhere(String empty) {
    String query =
        "{'start':1500001200,'end':1500001300,'queries':[{'aggregator':'sum','metric':'m'";
    String all = respond("POST", "/api/query", query + "}]}");
    for (String member :
        new String[] {
          "tags", "filters", "tsuids", "percentiles", "rateOptions", "downsample", "x"
        }) {
      assertThat(respond("POST", "/api/query", query + ",'" + member + "':" + empty + "}]}"))
          .as(member)
          .isEqualTo(all);
    }
    String last = "{'queries':[{'metric':'m','tags':{'host':'a'}%s}],'backScan':24%s}";
    String points = respond("POST", "/api/query/last", last.formatted("", ""));
    assertThat(points).contains("'value':'2.5'");
    assertThat(
            respond(
                "POST",
                "/api/query/last",
                last.formatted(",'tsuids':" + empty, ",'resolveNames':" + empty)))
        .isEqualTo(points);
    assertThat(respond("POST", "/api/query/last", "{'queries':" + empty + "}"))
        .contains("Missing sub queries");
    String found = respond("POST", "/api/search/lookup", "{'metric':'m'}");
    assertThat(found).contains("'totalResults':3");
    assertThat(
            respond(
                "POST",
                "/api/search/lookup",
                "{'metric':'m','tags':%1$s,'limit':%1$s}".formatted(empty)))
        .isEqualTo(found);
    for (String member : new String[] {"filters", "expressions", "outputs", "name"}) {
      assertThat(respond("POST", "/api/query/exp", EXP + ",'" + member + "':" + empty + "}"))
          .startsWith("200 ");
    }
    assertThat(
            respond(
                "POST", "/api/query/exp", EXP.replace("[{'id':'a','metric':'m'}]", empty) + "}"))
        .contains("missing or empty metrics");
    assertThat(respond("POST", "/api/uid/assign", "{'metric':" + empty + "}"))
        .startsWith("400 ")
        .contains("Missing values");
    assertThat(
            respond(
                "POST", "/api/annotation", "{'startTime':7,'notes':'n','custom':" + empty + "}"))
        .startsWith("200 ")
        .doesNotContain("custom");
    assertThat(respond("DELETE", "/api/annotation/bulk", "{'startTime':1,'tsuids':" + empty + "}"))
        .contains("Missing the TSUIDs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/query",
        "/api/query/exp",
        "/api/query/last",
        "/api/search/lookup",
        "/api/annotation",
        "/api/annotation/bulk",
        "/api/uid/assign",
        "/api/uid/rename",
        "/api/uid/uidmeta",
        "/api/uid/tsmeta",
        "/api/suggest",
        "/api/tree",
        "/api/tree/rule",
        "/api/tree/rules"
      })
  void whatFollowsTheBodyIsRefused(String uri) {
    String body = bodyOf(uri, "7");
    for (String rest : new String[] {" {}", ",{}", " this", "]", "\n[{'startTime':8}]", "5"}) {
      assertThat(respond("POST", uri, body + rest))
          .as(rest)
          .startsWith("400 ")
          .containsAnyOf("more than one JSON value", "not JSON: ", "Unexpected", "Unrecognized");
    }
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("404 ");
    assertThat(respond("GET", "/api/tree", "")).isEqualTo("200 []");
    assertThat(respond("POST", uri, "\uFEFF" + body)).doesNotContain("not JSON", "Unexpected");
  }

  /** Their digits are kept, but not at any price. */
  @ParameterizedTest
  @ValueSource(strings = {"1e-4001500001400", "1e99999999999", "1e999999999", "-0e-999999999"})
  void anExtremeNumberIsRefusedOrRead(String number) {
    for (String uri :
        new String[] {
          "/api/annotation", "/api/search/lookup", "/api/query/last", "/api/suggest", "/api/tree",
          "/api/uid/tsmeta", "/api/query", "/api/query/exp", "/api/rollup", "/api/put"
        }) {
      assertThat(respond("POST", uri, bodyOf(uri, number))).as(uri).startsWith("4");
    }
  }

  /** A body with a number, which is not that of what there is. */
  private static String bodyOf(String uri, String number) {
    String body =
        switch (uri) {
          case "/api/annotation" -> "{'startTime':%s,'notes':'n'}";
          case "/api/annotation/bulk" -> "[{'startTime':%s,'notes':'n'}]";
          case "/api/query" ->
              "{'start':1,'queries':[{'rateOptions':{'counterMax':%1$s},'percentiles':[%1$s]}]}";
          case "/api/query/exp" -> "{'time':{'start':%s,'aggregator':'sum'}}";
          case "/api/query/last" -> "{'queries':[{'metric':'m'}],'backScan':%s}";
          case "/api/search/lookup" -> "{'metric':'m','limit':%1$s,'startIndex':%1$s}";
          case "/api/suggest" -> "{'type':'metrics','max':%s}";
          case "/api/tree" -> "{'treeId':%s,'name':'t'}";
          case "/api/tree/rule" -> "{'treeId':%s,'type':'METRIC'}";
          case "/api/tree/rules" -> "[{'treeId':%s,'type':'METRIC'}]";
          case "/api/uid/assign" -> "{'metric':['new.one%s']}";
          case "/api/uid/rename" -> "{'metric':'m','name':'n%s'}";
          case "/api/uid/tsmeta" -> "{'tsuid':'000001000001000001','retention':%s}";
          case "/api/uid/uidmeta" -> "{'uid':'000001','type':'metric','created':%s}";
          default -> "{'metric':'m','timestamp':%s,'value':1,'tags':{'host':'a'}}";
        };
    return body.formatted(number);
  }

  @Test
  void numbersAndFlagsMayBeInQuotes() {
    assertThat(
            respond(
                "POST",
                "/api/search/lookup",
                "{'metric':'m','limit':'1','useMeta':'false','tags':[{'key':'host','value':'a'}]}"))
        .contains("'limit':1,", "'totalResults':1");
    assertThat(
            respond(
                "POST",
                "/api/query/last",
                "{'queries':[{'metric':'m','tags':{'host':'a'}}],'backScan':'24',"
                    + "'resolveNames':'true'}"))
        .contains("'metric':'m'");
  }

  @Test
  void anAnnotationThatCannotBeStoredCostsNoOther() {
    String bulk =
        "[{'startTime':7,'notes':'a'},{'startTime':'x','notes':'b'},5,{'notes':'c'},"
            + "{'startTime':8,'notes':'d'}]";
    assertThat(respond("POST", "/api/annotation/bulk", bulk))
        .startsWith("400 ")
        .contains(
            "3 of 5 annotations can't be stored, the others are",
            "[1].startTime: not a whole number: 'x'; [2]: not an object; [3]: The start timestamp");
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).contains("'notes':'a'");
    assertThat(respond("GET", "/api/annotation?start_time=8", "")).contains("'notes':'d'");
  }

  @Test
  void aNameThatCannotBeAssignedCostsNoOther() {
    assertThat(
            respond("POST", "/api/uid/assign", "{'metric':['new.one',{'x':1},['y'],null,'n 2']}"))
        .startsWith("400 ")
        .contains("'new.one':'", "'metric[1]':'metric[1]: not a text'", "'metric[2]':'", "'n 2':'")
        .contains("'metric_errors':{");
  }

  @Test
  void rulesAreStoredTogetherOrNot() {
    assertThat(respond("POST", "/api/tree", "{'name':'t'}")).startsWith("200 ");
    String rules =
        "[{'treeId':1,'level':0,'order':0,'type':'METRIC'},{'treeId':1,'level':1,'order':0,%s}]";
    for (String bad :
        new String[] {"'type':'NONE'", "'type':'METRIC','regex':'('", "'type':['x',{'a':1}]"}) {
      assertThat(respond("POST", "/api/tree/rules", rules.formatted(bad))).startsWith("400 ");
    }
    assertThat(respond("GET", "/api/tree?treeid=1", "")).contains("'rules':null");
    assertThat(respond("POST", "/api/tree/rules", rules.formatted("'type':'TAGK','field':'host'")))
        .startsWith("204 ");
    assertThat(
            respond(
                "POST",
                "/api/tree/rules",
                "[{'treeId':1,'level':2,'type':'TAGK','field':'dc'},"
                    + "{'treeId':1,'level':2,'notes':'n'}]"))
        .startsWith("204 ");
    assertThat(respond("POST", "/api/tree?treeid=1&strict_match=perhaps", ""))
        .startsWith("400 ")
        .contains("'strictMatch' is neither true nor false");
  }

  /** A number in a body keeps its digits: half a second is not another time. */
  @Test
  void aTimeInAFormulasRequestKeepsItsDigits() {
    String body =
        "{'time':{'start':1500001200.250,'end':1500001300,'aggregator':'sum'},"
            + "'metrics':[{'id':'a','metric':'m'}]}";
    assertThat(respond("POST", "/api/query/exp", body))
        .startsWith("200 ")
        .contains("1500001200.250");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{'policy':'nan'}", "'nan'", "'NaN'", "{'policy':'none'}", "{'policy':'null'}"})
  void aDownsamplersFillPolicyFills(String policy) {
    put("n 1500001200 1 host=a");
    put("n 1500001320 2 host=a");
    String body =
        ("{'time':{'start':'1500001200','end':'1500001330','aggregator':'sum','downsampler':"
                + "{'interval':'1m','aggregator':'avg'%s}},'metrics':[{'id':'n','metric':'n'},"
                + "{'id':'m','metric':'m'}],'expressions':[{'id':'e','expr':'n + m'}]}")
            .formatted(",'fillPolicy':" + policy);
    assertThat(respond("POST", "/api/query/exp", body)).contains("'NaN'");
    assertThat(respond("POST", "/api/query/exp", body.replace(policy, "'zero'")))
        .startsWith("200 ")
        .doesNotContain("NaN");
    assertThat(respond("POST", "/api/query/exp", body.replace(policy, "'scalar'")))
        .startsWith("400 ");
  }

  /** The row of the counters of UIDs is that of no name. */
  @Test
  void theNameOfTheCountersIsUnknown() {
    for (String uri :
        new String[] {
          "/api/query?start=1h-ago&m=sum:%00",
          "/api/query?start=1h-ago&m=sum:m{%00=*}",
          "/api/query?start=1h-ago&m=sum:m{host=%00}",
          "/api/query/last?timeseries=%00{host=a}&back_scan=1",
          "/api/query/gexp?start=1h-ago&exp=scale(sum:%00,2)",
          "/api/search/lookup?m=%00",
          "/api/cardinality?metric=%00",
          "/api/uid/tsmeta?m=%00",
          "/q?start=1h-ago&ascii&m=sum:%00"
        }) {
      assertThat(respond("GET", uri, "")).as(uri).containsPattern("^40[04] ");
    }
    assertThat(respond("GET", "/api/suggest?type=metrics&q=%00", "")).isEqualTo("200 []");
  }

  @Test
  void aMalformedUidIsTheClientsFault() {
    respond("POST", "/api/tree", "{'name':'t'}");
    for (String uri :
        new String[] {
          "/api/tree/notmatched?treeid=1&tsuids=zz",
          "/api/tree/collisions?treeid=1&tsuids=zz",
          "/api/uid/uidmeta?uid=zz&type=metric",
          "/api/uid/uidmeta?uid=000001&type=foo",
          "/api/uid/uidmeta?uid=01&type=metric",
          "/api/uid/tsmeta?tsuid=zz"
        }) {
      for (String method : new String[] {"GET", "POST", "DELETE"}) {
        String response = respond(method, uri, "");
        assertThat(response).as(method + " " + uri).containsPattern("^(40|304|204)");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&tsuid=000001000001000001"})
  void anAnnotationIsAddressedByItsExactTime(String series) {
    String tsuid = series.isEmpty() ? "" : ",'tsuid':'000001000001000001'";
    respond("POST", "/api/annotation", "{'startTime':1500001300,'description':'A'" + tsuid + "}");
    respond(
        "POST", "/api/annotation", "{'startTime':1500001300123,'description':'B'" + tsuid + "}");
    String uri = "/api/annotation?start_time=%s" + series;
    assertThat(respond("GET", uri.formatted("1500001300123"), "")).contains("'description':'B'");
    assertThat(respond("GET", uri.formatted("1500001300.123"), "")).contains("'description':'B'");
    assertThat(respond("GET", uri.formatted("1500001300"), "")).contains("'description':'A'");
    assertThat(respond("GET", uri.formatted("1500001300000"), "")).contains("'description':'A'");
    assertThat(respond("GET", uri.formatted("1500001300124"), "")).startsWith("404 ");
    assertThat(respond("DELETE", uri.formatted("1500001300124"), "")).startsWith("204 ");
    assertThat(respond("DELETE", uri.formatted("1500001300123"), "")).startsWith("204 ");
    assertThat(respond("GET", uri.formatted("1500001300"), "")).contains("'description':'A'");
    assertThat(respond("GET", uri.formatted("1500001300123"), "")).startsWith("404 ");
    assertThat(
            respond("POST", uri.formatted("1500001300500") + "&notes=C&end_time=1500001301250", ""))
        .contains("'startTime':1500001300500,'endTime':1500001301250");
    String list = "/api/annotations?start_time=%s&end_time=%s";
    if (series.isEmpty()) {
      assertThat(respond("GET", list.formatted("1500001300400", "1500001300600"), ""))
          .contains("'notes':'C'")
          .doesNotContain("'A'");
      assertThat(respond("GET", list.formatted("1500001300000", "1500001300499"), ""))
          .contains("'A'")
          .doesNotContain("'C'");
    }
    String bulk =
        "/api/annotation/bulk?start_time=1500001300001&end_time=1500001300500"
            + (series.isEmpty() ? "&global" : series.replace("tsuid", "tsuids"));
    assertThat(respond("DELETE", bulk, "")).contains("'totalDeleted':1");
    assertThat(respond("GET", uri.formatted("1500001300"), "")).contains("'description':'A'");
  }

  @Test
  void strictlyAnAnnotationIsAddressedBySecondsAndInvalidUidsAreFailures() {
    close();
    open(TsdbOptions.openTsdbDefaults());
    respond("POST", "/api/annotation", "{'startTime':1500001300,'description':'A'}");
    assertThat(respond("GET", "/api/annotation?start_time=1500001300123", ""))
        .contains("'description':'A'");
    assertThat(respond("GET", "/api/uid/uidmeta?uid=zz&type=metric", "")).startsWith("500 ");
    assertThat(respond("GET", "/api/uid/uidmeta?uid=000001&type=foo", "")).startsWith("500 ");
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m'} and more")).startsWith("200 ");
  }
}
