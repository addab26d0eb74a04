package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that an endpoint doesn't read with the method of its request is refused. */
class UnreadBodiesTest extends RequestCase {
  private static final String QUERY = "/api/query?start=1500001200&end=1500001300&m=sum:m";

  @ParameterizedTest
  @CsvSource({
    "GET,    /aggregators",
    "POST,   /aggregators",
    "GET,    /logs",
    "GET,    /q?start=1500001200&m=sum:m&json",
    "POST,   /q?start=1500001200&m=sum:m&json",
    "GET,    /stats",
    "GET,    /suggest?type=metrics",
    "GET,    /version",
    "GET,    /api/aggregators",
    "POST,   /api/aggregators",
    "GET,    /api/cardinality",
    "GET,    /api/config",
    "GET,    /api/config/filters",
    "POST,   /api/dropcaches",
    "GET,    /api/query?start=1500001200&m=sum:m",
    "GET,    /api/query/gexp?start=1500001200&exp=scale(sum:m,2)",
    "GET,    /api/query/last?timeseries=m",
    "GET,    /api/query/running",
    "DELETE, /api/query/running?id=1",
    "GET,    /api/search/lookup?m=m",
    "GET,    /api/stats",
    "GET,    /api/stats/jvm",
    "GET,    /api/stats/query",
    "GET,    /api/stats/region_clients",
    "GET,    /api/stats/threads",
    "GET,    /api/status",
    "GET,    /api/suggest?type=metrics",
    "GET,    /api/uid/assign?metric=n",
    "GET,    /api/uid/rename?metric=m&name=n",
    "GET,    /api/uid/tsmeta?tsuid=000001000001000001",
    "GET,    /api/uid/uidmeta?uid=000001&type=metric",
    "GET,    /api/version",
    "POST,   /api/version",
    "GET,    /api/v1/version/",
  })
  void isRefused(String method, String uri) {
    assertThat(respond(method, uri, "{'start':1}"))
        .startsWith("400 ")
        .contains("The body has no effect", " reads ");
    assertThat(respond(method, uri, "?")).startsWith("400 ").contains("The body has no effect");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "{}", " [] ", "null", "\r\n"})
  void oneThatSaysNothingIsAccepted(String body) {
    assertThat(respond("GET", QUERY, body)).isEqualTo(respond("GET", QUERY, ""));
    assertThat(respond("POST", "/api/aggregators", body)).startsWith("200 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET  | /api/annotation              | {'startTime':1500001200}",
        "GET  | /api/annotations             | {'startTime':1500001200,'endTime':1500001300}",
        "GET  | /api/tree/rule               | {'treeId':1,'level':0,'order':0}",
        "DELETE | /api/uid/uidmeta           | {'uid':'000001','type':'metric'}",
        "POST | /api/query/last              | {'queries':[{'metric':'m'}]}",
      })
  void oneThatIsReadIsNotRefusedForThat(String method, String uri, String body) {
    assertThat(respond(method, uri, body)).doesNotContain("no effect");
  }

  @ParameterizedTest
  @ValueSource(strings = {QUERY, "/api/version", "/api/suggest?type=metrics"})
  void inStrictModeItIsIgnored(String uri) {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("GET", uri, "{'start':1}")).isEqualTo(respond("GET", uri, ""));
    assertThat(respond("GET", uri, "?")).startsWith("200 ");
  }
}
