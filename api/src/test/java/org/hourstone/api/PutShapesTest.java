package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A point that can't be read costs no other point, and nothing of a body is dropped silently. */
class PutShapesTest extends ApiCase {
  private static final String GOOD =
      "{'metric':'m','timestamp':1500001200,'value':1,'tags':{'host':'a'}}";

  @Override
  TsdbOptions options() {
    return TsdbOptions.defaults().with(QuerySettings.TIMEZONE, "Europe/Berlin");
  }

  @Override
  void putPoints() {}

  private ApiResponse post(String uri, String body) {
    return api.respond(ApiCall.of("POST", uri, body.replace('\'', '"')));
  }

  private String put(String uri, String body) {
    ApiResponse response = post(uri, body);
    return response.status() + " " + response.body().replace('"', '\'');
  }

  private long stored() {
    return db.writer().stats().stored();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'metric':'m'   | 'metric':['m']             | [1].metric: not a text or a number",
        "'metric':'m'   | 'metric':{}                | [1].metric: not a text or a number",
        "1500001200     | true                       | [1].timestamp: not a time",
        "1500001200     | [1500001200]               | [1].timestamp: not a time",
        "1500001200     | {'seconds':1500001200}     | [1].timestamp: not a time",
        "1500001200     | 'soon'                     | [1].timestamp: timestamp",
        "1500001200     | 99999999999999999999       | [1].timestamp: ",
        "1500001200     | -99999999999999999999      | [1].timestamp: ",
        "1500001200     | 1e99                       | [1].timestamp: ",
        "1500001200     | 1e999999999                | [1].timestamp: ",
        "1500001200     | NaN                        | [1].timestamp: ",
        "1500001200     | 1500001200.1234            | [1].timestamp: invalid timestamp: 15000012",
        "1500001200     | '2017-07-14T25:00'         | [1].timestamp: ",
        "1500001200     | '2017-07-14T03:00:00.0001Z'| [1].timestamp: ",
        "1500001200     | []                         | [1].timestamp: not a time",
        "1500001200     | null                       | Invalid timestamp",
        "1500001200     | ''                         | Invalid timestamp",
        "1500001200     | 0.5                        | [1].timestamp: ",
        "'value':1      | 'value':[]                 | [1].value: not a text or a number",
        "'value':1      | 'value':[1]                | [1].value: not a text or a number",
        "'value':1      | 'value':{'x':[{}]}         | [1].value: not a text or a number",
        "'value':1      | 'value':true               | Unable to parse value to a number",
        "'value':1      | 'value':null               | Empty value",
        "{'host':'a'}   | ['host','a']               | [1].tags: not an object",
        "{'host':'a'}   | [{'host':'a'},[],1]        | [1].tags: not an object",
        "{'host':'a'}   | 'host=a'                   | [1].tags: not an object",
        "{'host':'a'}   | 5                          | [1].tags: not an object",
        "{'host':'a'}   | true                       | [1].tags: not an object",
        "{'host':'a'}   | []                         | Missing tags",
        "{'host':'a'}   | {}                         | Missing tags",
        "{'host':'a'}   | {'host':['a']}             | [1].tags.host: not a text or a number",
        "{'host':'a'}   | {'host':{'a':'b'}}         | [1].tags.host: not a text or a number",
        "{'host':'a'}   | {'host':null}              | Invalid tag value with key [host]: null",
      })
  void aMemberOfAnotherTypeCostsItsPointOnly(String member, String other, String error) {
    String bad = GOOD.replace(member, other);
    assertThat(bad).isNotEqualTo(GOOD);
    String body = "[" + GOOD + "," + bad + "," + GOOD.replace("1200", "1201") + "]";

    String response = put("/api/put?details", body);

    assertThat(response)
        .startsWith("400 {'success':2,'failed':1,'errors':[{'datapoint':{")
        .contains("'error':'" + error);
    assertThat(stored()).isEqualTo(2);
    assertThat(put("/api/put?summary", body)).isEqualTo("400 {'success':2,'failed':1}");
    assertThat(put("/api/put", bad)).startsWith("400 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "true", "'text'", "[]", "[1,[2],{}]", "1.5", "NaN"})
  void somethingElseThanAPointCostsNoOther(String other) {
    String body = "[" + GOOD + "," + other + "," + GOOD.replace("1200", "1201") + "]";
    for (String uri : List.of("/api/put", "/api/rollup", "/api/histogram")) {
      String response = put(uri + "?details", body);
      if (uri.equals("/api/put")) {
        assertThat(response)
            .startsWith("400 {'success':2,'failed':1,")
            .contains("'error':'[1]: not an object'");
      } else {
        assertThat(response).doesNotContain("Unable to parse the given JSON");
      }
    }
  }

  @Test
  void aBodyIsStoredWholeOrRefused() {
    String second = GOOD.replace("1200", "1201");
    for (String both :
        List.of(
            GOOD + "\n" + second + "\n",
            GOOD + second,
            "[" + GOOD + "]\n[" + second + "]",
            "[" + GOOD + "]" + second,
            "\uFEFF[" + GOOD + "," + second + "]",
            GOOD + "\r\n" + second.replace("'m'", "'\u00e9'"))) {
      long before = stored();
      assertThat(put("/api/put?summary", both)).as(both).isEqualTo("200 {'success':2,'failed':0}");
      assertThat(stored()).isEqualTo(before + 2);
    }
    long before = stored();
    for (String neither :
        List.of(
            GOOD + "," + second,
            GOOD + " this is not JSON",
            "[" + GOOD + "," + second + "] 5",
            "[" + GOOD + "," + second + "]]",
            GOOD + "\n" + second + "\n{",
            "\uFEFF\uFEFF" + GOOD,
            GOOD + "null")) {
      assertThat(put("/api/put?summary", neither)).as(neither).startsWith("400 {'error':");
    }
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void strictlyTheFirstValueCountsAndOneOddPointRefusesAll() {
    close();
    open(TsdbOptions.openTsdbDefaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    assertThat(put("/api/put?summary", GOOD + "\n" + GOOD.replace("1200", "1201")))
        .isEqualTo("200 {'success':1,'failed':0}");
    assertThat(put("/api/put?summary", "[" + GOOD + "] and more"))
        .isEqualTo("200 {'success':1,'failed':0}");
    for (String other : List.of("{'value':[]}", "5", "{'timestamp':'2017-07-14'}", "{'tags':[]}")) {
      assertThat(put("/api/put?details", "[" + GOOD + "," + other + "]"))
          .startsWith("400 ")
          .contains("Unable to parse the given JSON");
    }
    assertThat(put("/api/put", "\uFEFF" + GOOD)).contains("The JSON must start as an object");
    assertThat(put("/api/put?summary", GOOD.replace("1200,", "1202.9,"))).startsWith("200 ");
    assertThat(query()).contains("'1500001202000':1");
  }

  private String query() {
    return api.respond(
            ApiCall.of("GET", "/api/query?start=1500001000&end=1500002000&ms&m=sum:m", ""))
        .body()
        .replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1500001200.2, 1500001200200",
        "1500001200.25, 1500001200250",
        "1500001200.250, 1500001200250",
        "1500001200.2500000, 1500001200250",
        "1500001200.007, 1500001200007",
        "1500001200.0, 1500001200000",
        "1500001200.000, 1500001200000",
        "1500001200123, 1500001200123",
        "1500001200123.0, 1500001200123",
        "1.5000012005e9, 1500001200500",
        "15000012E2, 1500001200000",
        "'1500001200.25', 1500001200250",
        "' 1500001200 ', 1500001200000",
        "'2017-07-14T03:00:00Z', 1500001200000",
        "'2017-07-14T03:00:00.5Z', 1500001200500",
        "'2017-07-14 05:00', 1500001200000"
      })
  void aFractionOfASecondIsThat(String time, long millis) {
    assertThat(put("/api/put?details", "[" + GOOD.replace("1500001200", time) + "]"))
        .startsWith("200 {'success':1,'failed':0");
    assertThat(query()).contains("'dps':{'" + millis + "':1}");
  }

  @Test
  void pointsWithinASecondDoNotReplaceEachOther() {
    String points =
        GOOD.replace("1200", "1200.2") + "," + GOOD.replace("1200", "1200.7").replace(":1,", ":2,");
    assertThat(put("/api/put?summary", "[" + points + "]")).startsWith("200 ");
    assertThat(query()).contains("'dps':{'1500001200200':1,'1500001200700':2}");
  }

  /** The same texts by telnet and in an import file. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1500001200.2", "1500001200.25", "1500001200.0", "2017-07-14T03:00:00.5Z"})
  void everyDoorReadsATimeAlike(String time) {
    db.putLine("put m " + time + " 1 host=a").join();
    String byTelnet = query();
    assertThat(byTelnet).contains("'dps':{'15000012");
    close();
    open();
    put("/api/put", GOOD.replace("1500001200", "'" + time + "'"));
    assertThat(query()).isEqualTo(byTelnet);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'metric':'m'   | 'metric':'n','metric':'m'         | [1].metric: is given twice",
        "'value':1      | 'value':2,'value':1               | [1].value: is given twice",
        "1500001200     | 1500001200,'timestamp':1500001201 | [1].timestamp: is given twice",
        "{'host':'a'}   | {'host':'a'},'tags':{}            | [1].tags: is given twice",
        "{'host':'a'}   | {'host':'b','dc':'x','host':'a'}  | [1].tags.host: is given twice",
        "{'host':'a'}   | {'h\\u006fst':'b','host':'a'}     | [1].tags.host: is given twice",
        "'value':1      | 'x':1,'value':1,'x':2             | ``",
      })
  void aMemberThatIsGivenTwiceCostsItsPointOnly(String member, String twice, String error) {
    String point = "{'metric':'m','timestamp':1500001200,'value':1,'tags':{'host':'a'}}";
    String odd = point.replace(member, twice);
    String body = "[" + point + "," + odd + "," + point.replace("'a'", "'c'") + "]";
    for (int i = 0; i < 2; i++) { // the second time the series may be known by their text
      String response = put("/api/put?details", body);
      if (error.isEmpty()) {
        assertThat(response).contains("'success':3,'failed':0");
      } else {
        assertThat(response).startsWith("400 ").contains("'success':2,'failed':1", error);
      }
    }
    assertThat(db.uids().suggest(UidKind.TAGV, "b", 9)).isEmpty();
  }

  @Test
  void strictlyTheLastOfTwoMembersCounts() {
    open(TsdbOptions.openTsdbDefaults());
    String point =
        "{'metric':'n','metric':'m','timestamp':1500001200,'value':1,"
            + "'tags':{'host':'b','host':'a'}}";
    assertThat(put("/api/put?details", point)).startsWith("200 ").contains("'success':1");
    assertThat(db.uids().suggest(UidKind.TAGV, "", 9)).containsExactly("a");
  }

  @Test
  void aBucketThatIsGivenTwiceCostsItsHistogramOnly() {
    open(
        TsdbOptions.defaults()
            .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":0}"));
    String two =
        "{'metric':'m','timestamp':1500001200,'buckets':{'0,1':1,'0,1':2},'tags':{'host':'a'}}";
    assertThat(put("/api/histogram?details", "[" + two + "," + two.replace("'0,1':1,", "") + "]"))
        .contains("'success':1,'failed':1", "[0].buckets.0,1: is given twice");
  }

  private String histogram(TsdbOptions options, String members) {
    open(
        options.with(
            Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":0}"));
    String good = "{'metric':'m','timestamp':1500001200,'buckets':{'0,1':2},'tags':{'host':'a'}}";
    String point = good.replace("'buckets':{'0,1':2}", members);
    return put("/api/histogram?details", "[" + point + "," + good + "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'value':'AAEAAAAAP4AAAAUBAg==','id':42,'buckets':{'0,1':2} | buckets: beside a value",
        "'value':'AAEAAAAAP4AAAAUBAg==','id':42,'overflow':2        | overflow: beside a value",
        "'buckets':{'0,1':1.5}                 | buckets.0,1: not a whole number: '1.5'",
        "'buckets':{'0,1':true}                | buckets.0,1: not a whole number",
        "'buckets':{'0,1':null}                | buckets.0,1: no count",
        "'buckets':{'0,1':-1}                  | '0,1': its count is negative: -1",
        "'buckets':{'0,1':1,'0.0,1e0':1}       | the bucket '0.0,1e0' is given twice",
        "'buckets':{'0,1e400':1}               | bucket '0,1e400': '1e400' is too large for a"
            + " float",
        "'buckets':{'1e-60,1':5}               | bucket '1e-60,1': '1e-60' is too large for a"
            + " float, or too near to 0",
        "'buckets':{'0,1':1},'overflow':0.5    | overflow: not a whole number: '0.5'",
        "'buckets':{'0,1':1},'underflow':-2    | 'underflow': its count is negative: -2",
        "'buckets':{'0,1':1},'underflow':1e30  | underflow: not a whole number: '1E+30'",
        "'value':'AAEAAAAAP4AAAAUBAg==','id':0.5 | a value needs the id of its codec",
        "'buckets':{'0,1':1},'id':1            | id: 1, but buckets are of the codec with the id 0",
        "'buckets':{'0,1':1},'id':'x'          | id: not a whole number: 'x'",
        "'buckets':{'0,1':1},'id':0.5          | id: not a whole number: '0.5'",
      })
  void aCountThatWouldBeChangedCostsItsHistogram(String members, String error) {
    assertThat(histogram(TsdbOptions.defaults(), members))
        .startsWith("400 {'success':1,'failed':1,")
        .contains(error);
  }

  @Test
  void histogramsMayHaveTheirIdAndNumbersInQuotes() {
    assertThat(
            histogram(
                TsdbOptions.defaults(),
                "'id':0,'buckets':{'0,1':'5'},'overflow':[],'underflow':1e2"))
        .startsWith("200 {'success':2,");
  }

  @Test
  void strictlyACountHasNoFraction() {
    assertThat(histogram(TsdbOptions.openTsdbDefaults(), "'id':7,'buckets':{'0,1':1.5}"))
        .contains("'success':2");
  }

  private String rollup(TsdbOptions options, String members) {
    String interval = "'rowSpan':'1h','preAggregationTable':'tsdb-preagg'";
    String config =
        "{'aggregationIds':{'sum':0,'count':1},'intervals':["
            + "{'table':'tsdb','interval':'1m','defaultInterval':true,"
            + interval
            + "},{'table':'tsdb-1h','interval':'1h','rowSpan':'1d',"
            + "'preAggregationTable':'tsdb-1h-agg'}]}";
    open(
        options
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(Settings.ROLLUPS_CONFIG, config.replace('\'', '"')));
    return put(
        "/api/rollup?details",
        "{'metric':'m','timestamp':1500001200,'value':1,'tags':{'host':'a'}," + members + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'groupByAggregator':'summ'                      | No such group-by aggregator: summ",
        "'groupByAggregator':5                           | No such group-by aggregator: 5",
        "'interval':'1h','aggregator':'sum','groupByAggregator':'1h-sum' | No such group-by aggr",
        "'aggregator':'sum','groupByAggregator':'sum' | The aggregator sum has no effect without",
      })
  void aRolledUpValueThatNoQueryFindsIsRefused(String members, String error) {
    assertThat(rollup(TsdbOptions.defaults(), members)).startsWith("400 ").contains(error);
    assertThat(rollup(TsdbOptions.openTsdbDefaults(), members)).startsWith("200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'groupByAggregator':'sum'",
        "'groupByAggregator':'P99'",
        "'groupByAggregator':'squareSum'",
        "'interval':'1h','aggregator':'SUM','groupByAggregator':'MAX'",
        "'interval':'','aggregator':[],'groupByAggregator':'max'",
      })
  void aRolledUpValueOfAKnownAggregatorIsStored(String members) {
    assertThat(rollup(TsdbOptions.defaults(), members)).startsWith("200 ");
  }
}
