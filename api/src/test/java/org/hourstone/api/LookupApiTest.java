package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking series up by HTTP, with OpenTSDB's quirks and without. */
class LookupApiTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final String WEB01 =
      "{'tsuid':'000001000001000001000002000002','metric':'m','tags':{'host':'web01','dc':'lga'}}";
  private static final String WEB02 =
      "{'tsuid':'000001000001000003','metric':'m','tags':{'host':'web02'}}";
  private static final String OTHER =
      "{'tsuid':'000002000001000001','metric':'n','tags':{'host':'web01'}}";

  private final KeyValueStore store = new ModelStore(new ManualClock(START));
  private final TsdbOptions strict =
      TsdbOptions.openTsdbDefaults()
          .withClock(new ManualClock(START))
          .with(Settings.AUTO_CREATE_METRICS, "true");
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults().withClock(new ManualClock(START)));

  @BeforeEach
  void putSeries() {
    Tags both = Tags.of("host", "web01", "dc", "lga");
    db.put("m", START, 1, both);
    db.put("m", START.plusSeconds(3600), 1, both);
    db.put("m", START, 1, Tags.of("host", "web02"));
    db.put("n", START, 1, Tags.of("host", "web01"));
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void use(TsdbOptions options) {
    db.close();
    db = Tsdb.over(store, options);
  }

  private String get(String query) {
    return text(ApiCall.of("GET", "/api/search/lookup?" + query, ""));
  }

  private String post(String body) {
    return text(ApiCall.of("POST", "/api/search/lookup", body.replace('\'', '"')));
  }

  private String text(ApiCall call) {
    ApiResponse response = new Api(db).respond(call);
    return response.status() + " " + response.body().replace('"', '\'');
  }

  private static String found(String said, int limit, String... series) {
    return "200 {'type':'LOOKUP',"
        + said
        + ",'limit':"
        + limit
        + ",'time':0.0,'results':["
        + String.join(",", series)
        + "],'startIndex':0,'totalResults':"
        + series.length
        + "}";
  }

  @Test
  void seriesAreFoundByMetricAndTags() {
    assertThat(get("m=m")).isEqualTo(found("'metric':'m','tags':[]", 25, WEB01, WEB02));
    assertThat(get("m=m%7Bhost=web01%7D"))
        .isEqualTo(found("'metric':'m','tags':[{'key':'host','value':'web01'}]", 25, WEB01));
    assertThat(get("m=m%7Bdc=*%7D"))
        .isEqualTo(found("'metric':'m','tags':[{'key':'dc','value':'*'}]", 25, WEB01));
    assertThat(get("m=%7B*=web01%7D"))
        .isEqualTo(found("'tags':[{'key':'*','value':'web01'}]", 25, WEB01, OTHER));
    assertThat(get("m=*&limit=2")).isEqualTo(found("'metric':'*','tags':[]", 2, WEB01, WEB02));
    assertThat(post("{'metric':'m','tags':[{'key':'host','value':'*'}],'limit':1}"))
        .isEqualTo(found("'metric':'m','tags':[{'key':'host','value':'*'}]", 1, WEB01));
    assertThat(post("{'metric':'m','useMeta':false}"))
        .isEqualTo(found("'metric':'m','tags':[]", 25, WEB01, WEB02));
  }

  @Test
  void valuesMayBeAlternativesAndPatternsAsInQueries() {
    String said = "'metric':'m','tags':[{'key':'host','value':'";
    for (String value :
        new String[] {"web01|web02", "web01|web02|", "web*", "WEB0*", "*2|web01", "x*|*"}) {
      String both = found(said + value + "'}]", 25, WEB01, WEB02);
      assertThat(get("m=m%7Bhost=" + value + "%7D")).isEqualTo(both);
      assertThat(get("m=m%7Bhost=" + value + "%7D&use_meta=false")).isEqualTo(both);
      assertThat(post("{'metric':'m','tags':[{'key':'host','value':'" + value + "'}]}"))
          .isEqualTo(both);
    }
    assertThat(get("m=m%7Bhost=*1|x*%7D")).contains(WEB01).doesNotContain(WEB02);
    assertThat(get("m=m%7Bhost=x*|y*%7D")).contains("'totalResults':0");
    assertThat(get("m=m%7B*=lga|web02%7D")).contains(WEB01, WEB02);
    assertThat(get("m=m%7B*=lg*|nosuch%7D")).contains(WEB01).doesNotContain(WEB02);
    assertThat(get("m=*%7Bhost=web0*,dc=l*|x%7D")).contains(WEB01).doesNotContain(WEB02, OTHER);
    assertThat(get("m=m%7Bhost=web01|nosuch%7D"))
        .isEqualTo(
            "404 {'error':{'code':404,'message':'Unable to resolve one or more UIDs',"
                + "'details':'No such name for 'tagv': 'nosuch''}}");
  }

  @Test
  void inStrictModeSuchValuesAreTakenForNames() {
    use(strict);
    for (String value : new String[] {"web01|web02", "web*"}) {
      assertThat(get("m=m%7Bhost=" + value + "%7D"))
          .contains("404", "No such name for 'tagv': '" + value + "'");
    }
  }

  @Test
  void openTsdbReadsTheMetaTableOrReturnsEveryRow() {
    use(strict);
    String said = "'metric':'m','tags':[]";
    assertThat(get("m=m")).isEqualTo(found(said, 25));
    assertThat(get("m=m&use_meta=false")).isEqualTo(found(said, 25));
    assertThat(post("{'metric':'m','useMeta':false}"))
        .isEqualTo(found(said, 25, WEB01, WEB02, WEB01));
    use(strict.with(Settings.META_TRACKING, "true"));
    db.put("m", START, 2, Tags.of("host", "web02")).join();
    db.flush(); // until the series is noted, too
    assertThat(get("m=m")).isEqualTo(found(said, 25, WEB02));
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThat(get(""))
        .isEqualTo("400 {'error':{'code':400,'message':'Missing parameter <code>m</code>'}}");
    assertThat(get("m=m&limit=x")).contains("400", "Unable to convert 'limit' to a valid number");
    assertThat(get("m=nosuch"))
        .isEqualTo(
            "404 {'error':{'code':404,'message':'Unable to resolve one or more UIDs',"
                + "'details':'No such name for 'metrics': 'nosuch''}}");
    assertThat(get("m=m%7Bhost")).startsWith("400 ");
    assertThat(post("{")).startsWith("400 ");
    assertThat(post("{}")).startsWith("400 ");
    assertThat(text(ApiCall.of("PUT", "/api/search/lookup", ""))).startsWith("405 ");
    assertThat(text(ApiCall.of("GET", "/api/search/tsmeta", "")))
        .contains("400", "Searching is not enabled");
    assertThat(text(ApiCall.of("GET", "/api/search/x", ""))).contains("Unknown type: x");
    use(strict);
    assertThat(post("{")).startsWith("500 ");
  }

  @Test
  void aNameThatWasDeletedHidesItsSeriesAndNoOthers() {
    db.uids().delete(UidKind.TAGV, "lga");
    assertThat(get("m=m")).isEqualTo(found("'metric':'m','tags':[]", 25, WEB02));
    use(strict);
    assertThat(post("{'metric':'m','useMeta':false}")).startsWith("404 ");
  }

  @Test
  void aCeilingBoundsResultsAndRowsLookedFor() {
    use(db.engine().options().with(Settings.LOOKUP_MAX_RESULTS, "2"));
    assertThat(get("m=*&limit=0")).isEqualTo(found("'metric':'*','tags':[]", 2, WEB01, WEB02));
    assertThat(get("m=*&limit=3"))
        .startsWith("413 ")
        .contains("limit is 3, and there are more than 2", "hourstone.lookup.max_results");
    assertThat(get("m=m%7Bhost=web01%7D&limit=100000000")).startsWith("200 ");
    assertThat(text(ApiCall.of("GET", "/api/suggest?type=tagv&max=3", "")))
        .startsWith("413 ")
        .contains("max is 3, and there are more than 2", "hourstone.lookup.max_results");
    assertThat(text(ApiCall.of("GET", "/api/suggest?type=tagv&q=web01&max=100000000", "")))
        .isEqualTo("200 ['web01']");
    assertThat(text(ApiCall.of("GET", "/api/suggest?type=tagv&max=2", "")))
        .isEqualTo("200 ['lga','web01']");
    use(db.engine().options().with(Settings.LAST_MAX_ROWS, "10"));
    String last = "/api/query/last?tsuids=000001000001000003,000002000001000001&back_scan=";
    assertThat(text(ApiCall.of("GET", last + 4, ""))).startsWith("200 [{'timestamp':");
    assertThat(text(ApiCall.of("GET", last + 5, "")))
        .startsWith("400 ")
        .contains("2 series with 5 hours back need more than 10 rows", "hourstone.last.max_rows");
  }

  @Test
  void aLongListIsMadeWhileItIsWrittenUntilItsClientGoes() {
    for (int i = 0; i < 15_000; i++) {
      db.put("many", START, 1, Tags.of("host", "h" + i));
    }
    db.flush();
    for (String path :
        List.of(
            "/api/search/lookup?m=many&limit=0",
            "/api/search/lookup?m=many&limit=0&use_meta=false",
            "/api/suggest?type=tagv&max=1000000")) {
      String whole = text(ApiCall.of("GET", path, ""));
      if (path.startsWith("/api/search")) {
        assertThat(whole).startsWith("200 {'type':'LOOKUP','metric':'many',");
        assertThat(whole).endsWith("}}],'startIndex':0,'totalResults':15000}");
        assertThat(whole.split("'tsuid':", -1)).hasSize(15_001);
        assertEndsWithItsClient(path);
      }
      assertThat(db.runningQueries().list()).isEmpty();
    }
  }

  private void assertEndsWithItsClient(String path) {
    Disconnection client = new Disconnection();
    long[] sent = new long[1];
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("one by one");
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            assertThat(db.runningQueries().list()).hasSize(1);
            sent[0] += length;
            client.gone();
          }
        };
    try (ApiResponse response = new Api(db).respond(ApiCall.of("GET", path, "", client))) {
      assertThatThrownBy(() -> response.writeTo(out))
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("its client has disconnected");
    }
    assertThat(sent[0]).isBetween(1L, 1L << 16);
  }
}
