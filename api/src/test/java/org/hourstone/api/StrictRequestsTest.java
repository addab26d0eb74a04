package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In strict mode requests are answered as OpenTSDB 2.4 answered the same ones beside it. */
class StrictRequestsTest extends ApiCase {
  private static final String QUERY = "/api/query?start=1522540800&end=1522656000&";

  StrictRequestsTest() {
    super(Instant.parse("2018-05-01T00:00:00Z"));
  }

  @Override
  TsdbOptions options() {
    return TsdbOptions.openTsdbDefaults()
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(QuerySettings.TIMEZONE, "UTC");
  }

  @Override
  void putPoints() {
    put("e 1522474500 45 host=web01 dc=lga");
    put("e 1522475100 46 host=web01 dc=lga");
    put("e 1522575100 47 host=db01 dc=sjc");
    put("e 1522575700 47 host=db02 dc=web01");
    put("e 1522575700 47 host=web01");
    db.flush();
  }

  private String respond(String method, String uri, String body) {
    try (ApiResponse response = api.respond(ApiCall.of(method, uri, body.replace('\'', '"')))) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }

  @Test
  void optionsOfARateAreShownIfThereAreBraces() {
    assertThat(respond("GET", QUERY + "show_query&m=sum:rate{}:e", ""))
        .contains("'rateOptions':{'counter':false,'counterMax':9223372036854775807,");
    assertThat(respond("GET", QUERY + "show_query&m=sum:rate:e", ""))
        .contains("'rateOptions':null");
  }

  @Test
  void pointsAsTextAreOfARangeInSeconds() {
    assertThat(respond("GET", "/q?start=1522575100100&end=1522575100900&m=sum:e&ascii", ""))
        .startsWith("400 ")
        .contains("End time [1522575100] must be greater than the start time [1522575100]");
    assertThat(respond("GET", "/q?start=1522575100900&end=1522575101100&m=sum:e&ascii", ""))
        .startsWith("200 ");
  }

  private String query(String body) {
    return respond("POST", "/api/query", body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "{host=regexp([)} # When parsing tag 'host=regexp([)': Unclosed character class",
        "{host=not_key()} # When parsing tag 'host=not_key()': Could not find a tag value filter",
        "{host=nosuch(x)} # When parsing tag 'host=nosuch(x)': Could not find a tag value filter",
        "{}{host=wildcard(x)} # When parsing filter 'host=wildcard(x)': Filter must contain an",
        "{host=literal_or(|)} # When parsing tag 'host=literal_or(|)': Filter must contain more",
      },
      quoteCharacter = '`')
  void aMalformedFilterIsNamed(String filters, String message) {
    assertThat(respond("GET", QUERY + "m=sum:e" + filters, ""))
        .startsWith("500 {'error':{'code':500,'message':'" + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "{'start':1522540800} # 500 {'error':{'code':500,'message':'Missing queries'",
        "{'start':1522540800,'queries':null} # 500 {'error':{'code':500,'message':'Missing"
            + " queries'",
        "null # 500 {'error':{'code':500,'message':'The body is null, not an object'",
        "{'start':1522540800,'queries':[]} # 400 {'error':{'code':400,'message':'Missing queries'",
        "{'start':'152254.0800','queries':[{'metric':'e','aggregator':'sum'}]} # 400 {'error':"
            + "{'code':400,'message':'Invalid time: 152254.0800. Millisecond timestamps must be",
        "{'start':'2018/04/01 2:54','queries':[{'metric':'e','aggregator':'sum'}]} # 400 {'error':"
            + "{'code':400,'message':'Invalid absolute date: 2018/04/01 2:54",
        "{'start':1522540800,'end':10520766973000,'queries':[{'metric':'e','aggregator':'sum'}]}"
            + " # 500 {'error':{'code':500,'message':'Invalid timestamp: 10520766973000'}}",
        "{'start':1522540800,'end':10520766973000,'queries':[{'metric':'e','aggregator':'sum',"
            + "'tags':{'host':'*'}}]} # 400 {'error':{'code':400,'message':'Invalid timestamp:",
      },
      quoteCharacter = '`')
  void aMalformedBodyIsRefused(String body, String response) {
    assertThat(query(body)).startsWith(response);
  }

  /** The first filled bucket is the first one that begins in the hours that are read. */
  @Test
  void aFilledBucketThatBeganBeforeTheHoursReadGivesNoRate() {
    String queries =
        "'queries':[{'metric':'e','aggregator':'sum','rate':true,'downsample':'%s-sum-zero'}]}";
    assertThat(
            query(
                "{'start':1522508400,'end':1522656000,'timezone':'Asia/Tokyo',"
                    + queries.formatted("1dc")))
        .endsWith("'dps':{'1522594800':-0.0016319444444444443}}]");
    assertThat(
            query(
                "{'start':1522481400,'end':1522656000,'timezone':'UTC',"
                    + queries.formatted("90m")))
        .contains("'dps':{'1522486800':0.0,'1522492200':0.0,");
  }

  /** Points are counted from the hour of the first one, what is filled from that of the range. */
  @Test
  void aBucketThatIsCountedOtherwiseThanTheFilledOnesIsFilledOver() {
    String query =
        "{'start':1522472400,'end':1522476000,'queries':[{'metric':'e','aggregator':'max',"
            + "'downsample':'%s'}]}";
    assertThat(query(query.formatted("700sc-max"))).endsWith("'dps':{'1522474500':46.0}}]");
    assertThat(query(query.formatted("700sc-max-zero")))
        .contains("'1522474400':0.0,'1522475100':0.0")
        .doesNotContain("46.0");
    assertThat(query(query.formatted("600sc-max-zero"))).contains("'1522474800':46.0");
  }

  @Test
  void aTimeThatClocksShowTwiceIsTheLaterOne() {
    assertThat(
            query(
                "{'start':'2018/11/04','end':'2018/11/03','timezone':'America/Havana',"
                    + "'queries':[{'metric':'e','aggregator':'sum'}]}"))
        .contains("greater than the start time [1541307600000]");
  }

  @Test
  void filtersAreRepeatedInTheOrderOfReading() {
    assertThat(respond("GET", QUERY + "m=sum:rate:e{host=*}{dc=wildcard(*)}&show_query", ""))
        .contains("'filters':[{'tagk':'dc'", "'rateOptions':null");
    assertThat(respond("GET", QUERY + "m=sum:e&tsuid=max:000001000001000003000002000004", ""))
        .startsWith("200 [{'metric':'e','tags':{'host':'db01','dc':'sjc'}");
  }

  @Test
  void annotationsAreListedByTheirStartsAsGivenAndMayBeAnEmptyList() {
    String note = "{'startTime':%s,'description':'x'%s}";
    respond("POST", "/api/annotation", note.formatted("1522540802001", ""));
    respond("POST", "/api/annotation", note.formatted("1522540803", ""));
    respond(
        "POST",
        "/api/annotation",
        note.formatted("1522575000", ",'tsuid':'000001000001000003000002000004'"));
    String query = "/api/query?start=1522540800&end=%s&m=sum:e{host=db01}&global_annotations";

    assertThat(respond("GET", query.formatted("1522574000"), ""))
        .contains("'annotations':[],")
        .containsSubsequence("'startTime':1522540803,", "'startTime':1522540802001,");
    respond("POST", "/api/annotation", note.formatted("1522575300", ""));
    assertThat(respond("GET", query.replace("40800", "75050").formatted("1522575200"), ""))
        .contains("'globalAnnotations':[],");
    assertThat(respond("GET", query.formatted("1522576000"), ""))
        .contains("'annotations':[{'tsuid':'000001000001000003000002000004'");
    assertThat(respond("GET", "/api/annotation?start_time=15|", "")).startsWith("500 ");
    assertThat(respond("GET", "/api/annotation", "{}")).startsWith("500 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "host=*,*=web01 # 'totalResults':4}",
        "*=web01,dc=* # 'totalResults':3}",
        "*=web01 # 'totalResults':3}",
        "*=nosuch,host=* # 'details':'No such name for 'tagv': 'nosuch''}}",
        "host=* # 'totalResults':4}",
      },
      quoteCharacter = '`')
  void aLookupIgnoresValuesOfAnyTagBesideTagsWithNames(String tags, String end) {
    assertThat(respond("GET", "/api/search/lookup?m=e{" + tags + "}", "")).endsWith(end);
    assertThat(respond("POST", "/api/search/lookup?m=e{" + tags + "}", "")).endsWith(end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "/api/tree/nosuch # 404 {'error':{'code':404,'message':'This endpoint is not supported'}}",
        "/api/aggregators/nosuch # 200 [",
        "/api/query/nosuch # 400 {'error':{'code':400,'message':'Missing parameter <code>start<",
        "/api/search/uidmeta # 400 {'error':{'code':400,'message':'Missing parameter <code>query<",
        "/api/histogram # 503 ",
        "/api/nosuch # 404 {'error':{'code':404,'message':'Endpoint not found'}}",
        "/api/search/lookup?m=e{host=* # 400 {'error':{'code':400,'message':'Unable to parse"
            + " query'",
        "/api/query/last?tsuids= # 400 {'error':{'code':400,'message':'UID was empty'",
      },
      quoteCharacter = '`')
  void otherRequestsAreAnsweredAlike(String uri, String response) {
    assertThat(respond("GET", uri, "")).startsWith(response);
  }
}
