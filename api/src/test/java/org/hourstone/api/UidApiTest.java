package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names by HTTP, answered as OpenTSDB 2.4 does. */
class UidApiTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochSecond(1_500_001_200));

  private final KeyValueStore store = new ModelStore(CLOCK);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.openTsdbDefaults().withClock(CLOCK).with(Settings.UID_WIDTH_METRIC, "1"));
  private final Api api = new Api(db);

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private String get(String uri) {
    return text(api.respond(ApiCall.of("GET", uri, "")));
  }

  private String post(String uri, String body) {
    return text(api.respond(ApiCall.of("POST", uri, body.replace('\'', '"'))));
  }

  private static String text(ApiResponse response) {
    return response.status() + " " + response.body().replace('"', '\'');
  }

  @Test
  void namesAreAssignedAndWhatIsWrongIsSaidOfEach() {
    assertThat(post("/api/uid/assign", "{'metric':['b','a'],'tagk':['host']}"))
        .isEqualTo("200 {'metric':{'a':'02','b':'01'},'tagk':{'host':'000001'}}");
    assertThat(get("/api/uid/assign?metric=c,d&tagv=x"))
        .isEqualTo("200 {'metric':{'c':'03','d':'04'},'tagv':{'x':'000001'}}");
    assertThat(
            post("/api/uid/assign", "{'metric':['e','a'],'tagk':['f','host'],'tagv':['y','b v']}"))
        .isEqualTo(
            "400 {'tagv_errors':{'b v':'Invalid tagv (\\'b v\\'): illegal character:  '},"
                + "'metric':{'e':'05'},'tagk':{'f':'000002'},"
                + "'tagk_errors':{'host':'Name already exists with UID: 000001'},"
                + "'metric_errors':{'a':'Name already exists with UID: 02'},"
                + "'tagv':{'y':'000002'}}");
    assertThat(post("/api/uid/assign", "{'bogus':['x'],'metrics':['y']}"))
        .contains("'bogus':{}", "'bogus_errors':{'x':'Unknown type name'}")
        .contains("'metrics_errors':{'y':'Unknown type name'}");
    assertThat(post("/api/uid/assign", "{'metric':[]}")).isEqualTo("200 {'metric':{}}");
  }

  @Test
  void anAssignmentThatAsksForNothingIsRefused() {
    String missing = "400 {'error':{'code':400,'message':'Missing values to assign UIDs'}}";
    assertThat(post("/api/uid/assign", "{}")).isEqualTo(missing);
    assertThat(get("/api/uid/assign")).isEqualTo(missing);
    assertThat(get("/api/uid/assign?metric=")).isEqualTo(missing);
    assertThat(post("/api/uid/assign", "["))
        .startsWith("400 {'error':{'code':400,'message':'Unable to parse the given JSON'");
    assertThat(text(api.respond(ApiCall.of("PUT", "/api/uid/assign", "{}"))))
        .isEqualTo(
            "405 {'error':{'code':405,'message':'Method not allowed','details':"
                + "'The HTTP method [PUT] is not permitted for this endpoint'}}");
  }

  @Test
  void whenNoUidIsLeftTheServerHasFailed() {
    for (int i = 1; i <= 254; i++) {
      db.uids().assign(UidKind.METRIC, "m" + i);
    }
    assertThat(post("/api/uid/assign", "{'metric':['n0','n1','n2']}"))
        .isEqualTo(
            "500 {'error':{'code':500,'message':"
                + "'All Unique IDs for metrics on 1 bytes are already assigned!'}}");
    assertThat(get("/api/suggest?type=metrics&q=n")).isEqualTo("200 ['n0']");
  }

  @Test
  void namesAreRenamed() {
    post("/api/uid/assign", "{'metric':['a','b'],'tagk':['host']}");
    assertThat(post("/api/uid/rename", "{'metric':'a','name':'c'}"))
        .isEqualTo("200 {'result':'true'}");
    assertThat(get("/api/suggest?type=metrics")).isEqualTo("200 ['b','c']");
    assertThat(get("/api/uid/rename?tagk=host&name=dc")).isEqualTo("200 {'result':'true'}");
    assertThat(post("/api/uid/rename", "{'metric':'a','name':'d'}"))
        .isEqualTo("400 {'result':'false','error':'Name(\\'a\\') does not exist'}");
    assertThat(post("/api/uid/rename", "{'metric':'b','name':'c'}"))
        .isEqualTo(
            "400 {'result':'false','error':'metric 'b' can't be renamed: 'c' already has the"
                + " UID 01'}");
    assertThat(post("/api/uid/rename", "{'metric':'b'}"))
        .isEqualTo("400 {'error':{'code':400,'message':'Missing necessary values to rename UID'}}");
    assertThat(post("/api/uid/rename", "{'metric':'b','tagk':'dc','name':'z'}"))
        .isEqualTo("200 {'result':'true'}");
    assertThat(get("/api/suggest?type=tagk")).isEqualTo("200 ['z']");
    assertThat(get("/api/suggest?type=metrics")).isEqualTo("200 ['b','c']");
  }

  @Test
  void namesAreSuggested() {
    for (int i = 0; i < 30; i++) {
      db.uids().assign(UidKind.TAGV, "v" + (char) ('A' + i));
    }
    assertThat(get("/api/suggest?type=tagv&q=vB&max=1")).isEqualTo("200 ['vB']");
    assertThat(post("/api/suggest", "{'type':'tagv','q':'v','max':2}"))
        .isEqualTo("200 ['vA','vB']");
    assertThat(get("/api/suggest?type=tagv&max=0").split(",")).hasSize(25);
    assertThat(get("/api/suggest?type=tagv&max=x"))
        .isEqualTo("400 {'error':{'code':400,'message':'Unable to parse 'max' as a number'}}");
    assertThat(get("/api/suggest"))
        .isEqualTo("400 {'error':{'code':400,'message':'Missing parameter <code>type</code>'}}");
    assertThat(get("/api/suggest?type=bogus"))
        .isEqualTo("400 {'error':{'code':400,'message':'Invalid 'type' parameter:bogus'}}");
    assertThat(text(api.respond(ApiCall.of("PUT", "/api/suggest", "{}")))).startsWith("405 ");
  }

  @Test
  void otherUidEndpointsAreNotThere() {
    String not =
        "501 {'error':{'code':501,'message':'Other UID endpoints have not been implemented yet'}}";
    assertThat(get("/api/uid")).isEqualTo(not);
    assertThat(get("/api/uid/nosuch")).isEqualTo(not);
  }
}
