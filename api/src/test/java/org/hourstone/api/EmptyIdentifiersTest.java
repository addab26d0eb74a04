package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What says which thing is meant is not empty: that would be another one, or all of them. */
class EmptyIdentifiersTest extends RequestCase {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/tree?treeid=",
        "GET /api/tree?tree_id=%20",
        "POST /api/tree?treeId=&name=x",
        "DELETE /api/tree?treeid=",
        "GET /api/tree/branch?treeid=1&branch=",
        "GET /api/tree/branch?treeid=&branch=0001",
        "GET /api/tree/rule?treeid=1&level=&order=0",
        "DELETE /api/tree/rule?treeid=1&level=0&order=",
        "DELETE /api/tree/rule?treeid=1",
        "GET /api/tree/rule?treeid=1&order=0",
        "DELETE /api/tree/rules?treeid=",
        "GET /api/tree/collisions?treeid=1&tsuids=",
        "GET /api/tree/notmatched?treeid=1&tsuids=000001,,000002",
        "GET /api/query?start=1h-ago&m=sum:m&tsuid=",
        "GET /api/query?start=1h-ago&m=sum:m&m=",
        "GET /api/query?start=&m=sum:m",
        "GET /api/query/gexp?start=1h-ago&exp=",
        "GET /api/query/last?timeseries=",
        "DELETE /api/query/running?id=",
        "GET /api/search/lookup?m=",
        "GET /api/suggest?type=",
        "GET /api/cardinality?metric=",
        "GET /api/cardinality?metric=m&tagk=",
        "GET /api/uid/assign?metric=&tagk=x",
        "GET /api/uid/rename?metric=&tagk=host&name=x",
        "GET /api/uid/rename?metric=m&name=",
        "GET /api/uid/uidmeta?uid=&type=metric",
        "GET /api/uid/tsmeta?tsuid=",
        "GET /api/uid/tsmeta?m=",
        "GET /api/annotation?start_time=",
        "GET /api/annotation?start_time=7&tsuid=",
        "DELETE /api/annotation?start_time=7&tsuid=",
        "GET /api/annotations?start_time=1&end_time=",
        "DELETE /api/annotation/bulk?global&start_time=1&end_time=",
        "DELETE /api/annotation/bulk?start_time=1&end_time=2&tsuids=",
      })
  void anEmptyParameterIsNotAbsent(String request) {
    respond("POST", "/api/tree", "{'name':'t'}");
    String[] words = request.split(" ");
    assertThat(respond(words[0], words[1], ""))
        .startsWith("400 ")
        .containsPattern("empty|Missing|no function");
    assertThat(respond("GET", "/api/tree", "")).contains("'name':'t'").doesNotContain("'name':'x'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /api/tree                   | {'treeId':'','name':'x'}                 | treeId",
        "DELETE /api/tree                 | {'treeId':' '}                           | treeId",
        "PUT /api/tree/rule               | {'treeId':1,'level':'','type':'METRIC'}  | level",
        "POST /api/tree/rules             | [{'treeId':1,'order':'','type':'METRIC'}] | [0].order",
        "POST /api/tree/notmatched        | {'treeId':1,'tsuids':''}                 | tsuids",
        "POST /api/tree/collisions        | {'treeId':1,'tsuids':'000001000001000001,'}          | tsuids",
        "POST /api/tree/test              | {'treeId':1,'tsuids':['']}               | tsuids",
        "POST /api/uid/rename             | {'metric':'','tagk':'host','name':'x'}   | metric",
        "DELETE /api/annotation/bulk      | {'global':true,'startTime':1,'endTime':''} | endTime",
      })
  void anEmptyMemberIsNotAbsent(String request, String body, String place) {
    respond("POST", "/api/tree", "{'name':'t'}");
    String[] words = request.split(" ");
    assertThat(respond(words[0], words[1], body))
        .startsWith("400 ")
        .containsPattern(Pattern.quote(place) + ": .*(empty|'' is not the TSUID)");
    assertThat(respond("GET", "/api/tree", "")).contains("'name':'t'").doesNotContain("'name':'x'");
  }

  /** They say nothing, or nothing in particular, and clients send them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/query?start=1h-ago&end=&m=sum:m&tz=",
        "GET /api/suggest?type=metrics&q=&max=",
        "GET /api/cardinality?q=",
        "POST /api/annotation?start_time=7&notes=n&description=",
        "GET /api/version?jsonp=",
      })
  void otherParametersMayBeEmpty(String request) {
    String[] words = request.split(" ");
    assertThat(respond(words[0], words[1], "")).startsWith("200 ");
  }

  @Test
  void whatIsAbsentInJsonIsAbsent() {
    for (String none : new String[] {"null", "[]", "{}"}) {
      assertThat(respond("POST", "/api/tree", "{'treeId':" + none + ",'name':'y'}"))
          .startsWith("200 ");
    }
  }

  @Test
  void inStrictModeEmptyIsAbsent() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("GET", "/api/tree?treeid=", "")).startsWith("200 ");
    assertThat(respond("GET", "/api/annotation?start_time=7&tsuid=", "")).startsWith("404 ");
  }
}
