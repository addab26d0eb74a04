package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request says by a name that its endpoint doesn't know is refused, not left out. */
class UnknownNamesTest extends RequestCase {
  private static final String SERIES = "000001000001000001";

  @Override
  TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_REALTIME_UID, "true")
        .with(QuerySettings.ALLOW_DELETE, "true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "POST /api/query | {'start':1,'queries':[],'End':2}                            | End",
        "POST /api/query | {'start':1,'queries':[],'delete_':true}                     | delete_",
        "POST /api/query | {'start':1,'queries':[{'Tags':{'host':'a'}}]}               |"
            + " queries[0].Tags",
        "POST /api/query | {'start':1,'queries':[{'downSample':'1m-avg'}]}             |"
            + " queries[0].downSample",
        "POST /api/query |"
            + " {'start':1,'delete':true,'queries':[{'aggregator':'sum','metric':'m','filter':[{'type':'literal_or','tagk':'host','filter':'a'}]}]}"
            + " | queries[0].filter",
        "POST /api/query | {'start':1,'queries':[{'rateOptions':{'CounterMax':5}}]}    |"
            + " queries[0].rateOptions.CounterMax",
        "POST /api/query |"
            + " {'start':1,'queries':[{'filters':[{'type':'wildcard','tagk':'host','filter':'*','groupby':true}]}]}"
            + " | queries[0].filters[0].groupby",
        "POST /api/query/last | {'queries':[{'metric':'m'}],'resolve':true}            | resolve",
        "POST /api/query/last | {'queries':[{'metric':'m','filters':[{'tagk':'h'}]}]}  |"
            + " queries[0].filters",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'metrics':[],'expression':[1]} | expression",
        "POST /api/query/exp | {'time':{'start':1,'aggregator':'sum','downsample':'1m-avg'}}  |"
            + " time.downsample",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum','downsampler':{'interval':'1m','aggregator':'avg','fill':'nan'}}}"
            + " | time.downsampler.fill",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'metrics':[{'id':'a','metric':'m','rate':true}]}"
            + " | metrics[0].rate",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'metrics':[{'id':'a','metric':'m','timeOffset':'1d'}]}"
            + " | metrics[0].timeOffset",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'filters':[{'id':'f','filters':[1]}]} |"
            + " filters[0].filters",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'metrics':[{'id':'a','metric':'m'}],'expressions':[{'id':'e','expr':'a','join':{'operator':'union','use_query_tags':true}}]}"
            + " | expressions[0].join.use_query_tags",
        "POST /api/query/exp |"
            + " {'time':{'start':1,'aggregator':'sum'},'metrics':[{'id':'a','metric':'m','fillPolicy':{'policy':'scalar','default':5}}]}"
            + " | metrics[0].fillPolicy.default",
        "POST /api/search/lookup | {'metric':'m','tag':[{'key':'host','value':'a'}]}   | tag",
        "POST /api/search/lookup | {'metric':'m','use_meta':false}                     | use_meta",
        "POST /api/search/lookup | {'metric':'m','tags':[{'tagk':'host','value':'a'}]} |"
            + " tags[0].tagk",
        "POST /api/suggest | {'type':'metrics','limit':1}                              | limit",
        "POST /api/annotation | {'start_time':7,'startTime':7,'notes':'n'}             |"
            + " start_time",
        "POST /api/annotation | {'startTime':7,'TSUID':'000001','notes':'n'}           | TSUID",
        "DELETE /api/annotation | {'startTime':7,'tsuids':['000001']}                  | tsuids",
        "POST /api/annotation/bulk | [{'startTime':7,'Notes':'n'}]                     | [0].Notes",
        "DELETE /api/annotation/bulk | {'global':true,'startTime':1,'end':9}           | end",
        "POST /api/uid/rename | {'metric':'m','newName':'n','name':'x'}                | newName",
        "POST /api/uid/uidmeta | {'uid':'000001','type':'metric','display_name':'n'}   |"
            + " display_name",
        "POST /api/uid/uidmeta | {'uid':'000001','type':'metric','name':'n','notes':'x'} | name",
        "POST /api/uid/tsmeta | {'tsuid':'000001000001000001','unit':'ms'}             | unit",
        "POST /api/tree | {'name':'t','rule':{}, 'level':1}                            | level",
        "POST /api/tree | {'name':'t','rules':{'0':{}}}                                | rules",
        "POST /api/tree/rule | {'treeId':1,'type':'METRIC','regexp':'x'}               | regexp",
        "POST /api/tree/rules | [{'treeId':1,'type':'METRIC'},{'treeId':1,'Level_s':1}] |"
            + " [1].Level_s",
        "DELETE /api/tree | {'treeId':1,'name':'t'}                                    | name",
        "DELETE /api/tree/rules | {'treeId':1,'level':2}                               | level",
        "GET /api/tree/test | {'treeId':1,'tsuid':'000001000001000001'}                | tsuid",
        "POST /api/put |"
            + " {'metric':'n','timestamp':1500001200,'value':1,'tags':{'a':'b'},'Tags':{'c':'d'}} |"
            + " Tags",
        "POST /api/put |"
            + " [{'metric':'n','timestamp':1500001200,'value':1,'tags':{'a':'b'},'interval':'1h','aggregator':'sum'}]"
            + " | [0].interval",
        "POST /api/put |"
            + " {'metric':'n','timestamp':1500001200,'value':1,'tags':{'a':'b'},'buckets':{'0,1':5}}"
            + " | buckets",
        "POST /api/rollup |"
            + " {'metric':'n','timestamp':1500001200,'value':1,'tags':{'a':'b'},'interval':'1h','aggregator':'sum','group_by_aggregator':'sum'}"
            + " | group_by_aggregator",
      })
  void anUnknownMemberIsRefusedByItsPlace(String request, String body, String place) {
    String[] words = request.split(" ");
    respond("POST", "/api/tree", "{'name':'t','enabled':true}");
    boolean isPut = words[1].equals("/api/put") || words[1].equals("/api/rollup");
    String uri = isPut ? words[1] + "?details" : words[1];
    assertThat(respond(words[0], uri, body)).startsWith("400 ").contains(place + ": ");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 9)).containsExactly("m");
    assertThat(respond("GET", "/api/query?" + RANGE + "&m=count:m", "")).contains("'1500001210':2");
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("404 ");
    assertThat(respond("GET", "/api/tree?treeid=2", "")).startsWith("404 ");
  }

  /** Clients send back what they were sent, and members of OpenTSDB that have no effect. */
  @Test
  void whatResponsesContainIsKnown() {
    String query =
        "{'start':1500001200,'end':1500001300,'padding':true,'overrideByteLimit':true,'options':{"
            + "'o':['x']},'queries':[{'aggregator':'sum','metric':'m','index':0,'filterTagKs':['x'],"
            + "'rollupTable':'raw','histogramQuery':false}]}";
    assertThat(respond("POST", "/api/query", query)).startsWith("200 ");
    String name = respond("GET", "/api/uid/uidmeta?uid=000001&type=metric", "").substring(4);
    assertThat(respond("POST", "/api/uid/uidmeta", name.replace("'notes':''", "'notes':'n'")))
        .startsWith("200 ")
        .contains("'notes':'n'");
    String series = respond("GET", "/api/uid/tsmeta?tsuid=" + SERIES, "").substring(4);
    assertThat(respond("POST", "/api/uid/tsmeta", series.replace("'units':''", "'units':'ms'")))
        .startsWith("200 ")
        .contains("'units':'ms'");
    String tree = respond("POST", "/api/tree", "{'name':'t'}").substring(4);
    assertThat(respond("POST", "/api/tree", tree.replace("'notes':''", "'notes':'n'")))
        .startsWith("200 ")
        .contains("'notes':'n'");
    String rule =
        respond("POST", "/api/tree/rule", "{'treeId':1,'type':'METRIC','regexGroupIdx':0}");
    assertThat(respond("PUT", "/api/tree/rule", rule.substring(4))).isEqualTo(rule);
    String noted = respond("POST", "/api/annotation", "{'startTime':7,'notes':'n'}").substring(4);
    assertThat(respond("PUT", "/api/annotation", noted.replace("'n'", "'o'"))).startsWith("200 ");
    String exp =
        "{'time':{'start':'1500001200','end':'1500001300','aggregator':'sum'},'metrics':[{'id':"
            + "'a','metric':'m','timeOffset':'','fillPolicy':{'policy':'nan'}}],'expressions':[{"
            + "'id':'e','expr':'a*2'}]}";
    String formulas = respond("POST", "/api/query/exp", exp);
    String echo = formulas.substring(formulas.indexOf("'query':") + 8, formulas.length() - 1);
    assertThat(respond("POST", "/api/query/exp", echo)).isEqualTo(formulas);
    String point = "{'metric':'m','timestamp':1500001400,'value':1,'tags':{'host':'a'},%s}";
    for (String other : new String[] {"'ttl':5", "'host':'x'", "'interval':null", "'Tags':{}"}) {
      assertThat(respond("POST", "/api/put", point.formatted(other))).as(other).isEqualTo("204 ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /api/query?start=1&m=sum:m&tags=host=a                | tags: is not a parameter of"
            + " /api/query",
        "GET /api/query?start=1&m=sum:m&showTSUIDs                 | showTSUIDs: is not a parameter"
            + " of /api/query; its name is show_tsuids",
        "GET /api/query?start=1&m=sum:m&End=5                      | its name is end",
        "GET /api/query?start=1&m=sum:m&msResolution=true          | msResolution: is not",
        "DELETE /api/query?start=1&m=sum:m&filter=host             | filter: is not",
        "GET /api/query/gexp?start=1&exp=scale(sum:m,2)&m=sum:m    | m: is not",
        "GET /api/query/gexp?start=1&exp=scale(sum:m,2)&tsuid=sum:1 | tsuid: is not",
        "GET /api/query/gexp?start=1&exp=scale(sum:m,2)&explain    | explain: is not",
        "GET /api/query/gexp?start=1&exp=scale(sum:m,2)&global_annotations | global_annotations:"
            + " is",
        "GET /api/query/last?timeseries=m&backScan=5               | its name is back_scan",
        "GET /api/query/last?timeseries=m&m=sum:m                  | m: is not",
        "GET /api/search/lookup?m=m&useMeta=false                  | its name is use_meta",
        "GET /api/search/lookup?m=m&max=5                          | max: is not",
        "GET /api/suggest?type=metrics&limit=5                     | limit: is not",
        "DELETE /api/annotation?start_time=7&tsuids=000001         | tsuids: is not",
        "DELETE /api/annotation?start_time=7&startTime=8           | startTime: is not",
        "GET /api/annotations?start_time=1&tsuid=000001            | tsuid: is not",
        "DELETE /api/annotation/bulk?global&start_time=1&tsuid=00  | tsuid: is not",
        "DELETE /api/annotation?start_time=7&tsuid=                | tsuid: is empty",
        "DELETE /api/annotation/bulk?start_time=1&tsuids=          | tsuids: is empty",
        "DELETE /api/annotation/bulk?start_time=1&global&tsuids=,  | tsuids: has an empty element",
        "GET /api/query/last?tsuids=                               | tsuids: is empty",
        "GET /api/query/last?timeseries=                           | timeseries: is empty",
        "GET /api/tree/collisions?treeid=1&tsuids=                 | tsuids: is empty",
        "GET /api/uid/tsmeta?tsuid=                                | tsuid: is empty",
        "DELETE /api/tree/rules?treeid=1&level=2                   | level: has no effect",
        "GET /api/tree?treeid=1&level=2                            | level: has no effect",
        "DELETE /api/tree?treeid=1&tsuids=00                       | tsuids: has no effect",
        "POST /api/put?tags=host=a                                 | tags: is not",
      })
  void aParameterOfAnotherEndpointOrSpellingIsRefused(String request, String problem) {
    respond("POST", "/api/tree", "{'name':'t'}");
    respond("POST", "/api/tree/rule", "{'treeId':1,'level':0,'order':0,'type':'METRIC'}");
    respond("POST", "/api/annotation", "{'startTime':7,'notes':'n'}");
    String[] words = request.split(" ", 2);
    assertThat(respond(words[0], words[1], "")).startsWith("400 ").contains(problem);
    assertThat(respond("GET", "/api/query?" + RANGE + "&m=count:m", "")).contains("'1500001210':2");
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("200 ");
    assertThat(respond("GET", "/api/tree?treeid=1", "")).contains("'METRIC'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/query?start=1h-ago&m=sum:m&_=1&token=x&id=5&name=n&nocache",
        "/api/query?start=1h-ago&m=sum:m&details&summary",
        "/q?start=1h-ago&m=sum:m&ascii&o=axis%20x1y1&key=out&smooth=csplines&style=points&ms",
        "/api/query/gexp?start=1h-ago&exp=scale(sum:m,2)&no_annotations&show_tsuids&jsonp=f",
        "/api/aggregators?tags=x",
      })
  void clientsMaySendParametersOfTheirOwn(String uri) {
    assertThat(respond("GET", uri, "")).startsWith("200 ");
  }

  @Test
  void theListOfAnnotationsIsOnlyRead() {
    respond("POST", "/api/annotation", "{'startTime':7,'notes':'n'}");
    for (String method : new String[] {"DELETE", "POST", "PUT"}) {
      assertThat(respond(method, "/api/annotations?start_time=7", "")).startsWith("405 ");
      assertThat(respond(method, "/api/annotations", "{'startTime':7}")).startsWith("405 ");
    }
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("200 ");
  }

  /** What precedes the fault is not deleted, either. */
  @Test
  void aListWithoutAllItsSeriesDeletesNothing() {
    respond(
        "POST", "/api/annotation", "{'startTime':1500001300,'notes':'n','tsuid':'" + SERIES + "'}");
    for (String tsuids : new String[] {"''", "'zz'", "'00'", "null", "'" + SERIES + "0'"}) {
      assertThat(
              respond(
                  "DELETE",
                  "/api/annotation/bulk",
                  "{'startTime':1,'tsuids':['%s',%s]}".formatted(SERIES, tsuids)))
          .as(tsuids)
          .startsWith("400 ")
          .contains("tsuids[1]: ");
    }
    assertThat(
            respond("DELETE", "/api/annotation/bulk?start_time=1&tsuids=" + SERIES + ",0000FF", ""))
        .startsWith("400 ")
        .contains("tsuids[1]: ");
    assertThat(respond("GET", "/api/annotation?start_time=1500001300&tsuid=" + SERIES, ""))
        .startsWith("200 ");
  }

  @Test
  void aLookupBeginsAtItsStartIndex() {
    String all = respond("POST", "/api/search/lookup", "{'metric':'m'}");
    List<String> tsuids =
        Pattern.compile("'tsuid':'\\w+'").matcher(all).results().map(MatchResult::group).toList();
    assertThat(tsuids).hasSize(3);
    for (String source : new String[] {"true", "false"}) {
      String second =
          respond(
              "POST",
              "/api/search/lookup",
              "{'metric':'m','limit':1,'startIndex':1,'useMeta':" + source + "}");
      assertThat(second)
          .contains("'startIndex':1,'totalResults':1}", tsuids.get(1))
          .doesNotContain(tsuids.get(0), tsuids.get(2));
      assertThat(
              respond("GET", "/api/search/lookup?m=m&limit=1&start_index=1&use_meta=" + source, ""))
          .contains(tsuids.get(1), "'totalResults':1}");
    }
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','startIndex':2,'limit':0}"))
        .contains(tsuids.get(2), "'totalResults':1}");
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','startIndex':3}"))
        .contains("'results':[],'startIndex':3,'totalResults':0}");
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','startIndex':-1}"))
        .startsWith("400 ")
        .contains("startIndex: is negative: -1");
    assertThat(respond("GET", "/api/search/lookup?m=m&start_index=x", "")).startsWith("400 ");
  }

  @Test
  void aLookupMayBeginAsItsResponse() {
    String first = respond("POST", "/api/search/lookup", "{'metric':'m','limit':1}");
    String next = first.substring(4).replace("'startIndex':0", "'startIndex':1");
    assertThat(respond("POST", "/api/search/lookup", next))
        .startsWith("200 ")
        .contains("'limit':1,", "'startIndex':1,'totalResults':1}");
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','type':'TSMETA'}"))
        .startsWith("400 ")
        .contains("type: not LOOKUP: 'TSMETA'");
  }

  @Test
  void aLookupsMembersAreTheClientsFault() {
    open(TsdbOptions.defaults().with(Settings.STRICT, "lookups"));
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','tag':[1]}"))
        .startsWith("400 ")
        .contains("tag: unknown");
    assertThat(respond("POST", "/api/search/lookup", "{")).startsWith("500 ");
  }

  @Test
  void theNamesOfGroupingDoNotContradictEachOther() {
    String query =
        "{'start':1500001200,'queries':[{'aggregator':'sum','metric':'m','filters':[{'type':"
            + "'wildcard','tagk':'host','filter':'*','groupBy':%s,'group_by':%s}]}]}";
    assertThat(respond("POST", "/api/query", query.formatted("true", "true"))).startsWith("200 ");
    assertThat(respond("POST", "/api/query", query.formatted("true", "null"))).startsWith("200 ");
    assertThat(respond("POST", "/api/query", query.formatted("true", "false")))
        .startsWith("400 ")
        .contains("queries[0].filters[0].group_by: contradicts groupBy");
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("POST", "/api/query", query.formatted("true", "false"))).startsWith("200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"collisions", "notmatched"})
  void theFailuresOfATreeAreThoseOfSeries(String list) {
    respond("POST", "/api/tree", "{'name':'t'}");
    String uri = "/api/tree/" + list + "?treeid=1&tsuids=";
    assertThat(respond("GET", uri + SERIES, "")).isEqualTo("200 {}");
    for (String wrong : new String[] {"abc", "zz", "0001", "000001000001", "0000FF0000FF0000FF"}) {
      assertThat(respond("GET", uri + SERIES + "," + wrong, ""))
          .startsWith("400 ")
          .contains("tsuids: '" + wrong + "' ");
      assertThat(respond("POST", "/api/tree/" + list, "{'treeId':1,'tsuids':['" + wrong + "']}"))
          .startsWith("400 ")
          .contains("tsuids: '" + wrong + "' ");
    }
  }

  @Test
  void aFormulasRatesHaveTheirOptions() {
    put("c 1500001200 10 host=a");
    put("c 1500001210 60 host=a");
    put("c 1500001220 5 host=a");
    String body =
        "{'time':{'start':'1500001200','end':'1500001230','aggregator':'sum','rate':true%s},"
            + "'metrics':[{'id':'a','metric':'c'}]}";
    assertThat(respond("POST", "/api/query/exp", body.formatted("")))
        .contains("[1500001210000,5.0]", "[1500001220000,-5.5]");
    assertThat(
            respond(
                "POST",
                "/api/query/exp",
                body.formatted(",'rateOptions':{'counter':true,'counterMax':65}")))
        .contains("[1500001210000,5.0]", "[1500001220000,1.0]", "'rateOptions':{'counter':true");
    assertThat(
            respond(
                "POST",
                "/api/query/exp",
                body.formatted(",'rateOptions':{'counter':true,'dropResets':true}")))
        .doesNotContain("1500001220000");
    assertThat(respond("POST", "/api/query/exp", body.formatted(",'rateOptions':'counter'")))
        .startsWith("400 ")
        .contains("time.rateOptions: not an object");
  }

  @Test
  void anUnknownPathBelowTheStatisticsIsNotThatOfAll() {
    assertThat(respond("GET", "/api/stats/nosuch", "")).startsWith("404 ");
    assertThat(respond("GET", "/api/stats/jvm/nosuch", "")).startsWith("404 ");
    assertThat(respond("GET", "/api/stats/region_clients", "")).startsWith("200 ");
  }

  @Test
  void inStrictModeTheyAreIgnored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("GET", "/api/stats/nosuch", "")).startsWith("200 [{'metric':'tsd.");
    for (String body :
        new String[] {
          "{'start':1500001200,'Tags':1,'queries':[{'aggregator':'sum','metric':'m','x':{'y':1}}]}",
        }) {
      assertThat(respond("POST", "/api/query", body)).startsWith("200 ");
    }
    assertThat(respond("GET", "/api/query?start=1500001200&m=sum:m&tags=x", "")).startsWith("200 ");
    assertThat(respond("POST", "/api/search/lookup", "{'metric':'m','startIndex':2,'tag':1}"))
        .startsWith("200 ")
        .contains("'startIndex':0");
    respond("POST", "/api/annotation", "{'startTime':7,'notes':'n','Notes':'o'}");
    assertThat(respond("DELETE", "/api/annotations?start_time=7&tsuids=", "")).startsWith("204 ");
    assertThat(respond("GET", "/api/annotation?start_time=7", "")).startsWith("404 ");
    respond("POST", "/api/tree", "{'name':'t','level':1}");
    assertThat(respond("GET", "/api/tree/collisions?treeid=1&tsuids=abc", "")).isEqualTo("200 {}");
    String point = "{'metric':'m','timestamp':1500001400,'value':1,'tags':{'host':'a'},'Tags':{}}";
    assertThat(respond("POST", "/api/put", point)).isEqualTo("204 ");
  }
}
