package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A query means what its request says, whatever the order and the spelling of its members. */
class QueryMeaningTest extends QueryCase {
  @Test
  void strictlyPointsOfOneSecondRepeatItsKey() {
    openStrictly();
    put("n 1500001230250 1 host=a");
    put("n 1500001230750 2 host=a");
    assertThat(query("m=sum:n")).contains("\"dps\":{\"1500001230\":1,\"1500001230\":2}");
  }

  /** As by {@code 1s-} and the aggregator. */
  @ParameterizedTest
  @CsvSource({
    "sum:n, 6, 4.5",
    "max:n, 3, 4.5",
    "count:n, 3, 1.0",
    "none:n, 3, 4.5",
    "last:n, 3, 4.5",
    "avg:n, 2, 4.5",
    "sum:rate:n, 4.0, 1.5",
    "sum:250ms-sum:n, 3.0, 4.5"
  })
  void pointsOfOneSecondBecomeOneByTheAggregator(String query, String first, String second) {
    put("n 1500001230250 1 host=a");
    put("n 1500001230500 2 host=a");
    put("n 1500001230750 3 host=a");
    put("n 1500001231750 4.5 host=a");
    assertThat(query("m=" + query))
        .endsWith("\"dps\":{\"1500001230\":" + first + ",\"1500001231\":" + second + "}}]");
    assertThat(query("m=" + query + "&ms")).contains("\"1500001230750\":");
    assertThat(query("m=" + query + "&arrays"))
        .containsSubsequence("[1500001230,", "[1500001230,", "[1500001231," + second + "]");
  }

  @Test
  void integersOfOneSecondThatDoNotFitBecomeADecimal() {
    put("n 1500001230250 9223372036854775807 host=a");
    put("n 1500001230500 9223372036854775807 host=a");
    assertThat(query("m=sum:n")).contains("\"dps\":{\"1500001230\":1.8446744073709552E19}");
    assertThat(query("m=avg:n")).contains("\"dps\":{\"1500001230\":9223372036854775807}");
  }

  @Test
  void anInfiniteResultOfOneSecondIsRefused() {
    put("n 1500001230250 1.7E308 host=a");
    put("n 1500001230500 1.7E308 host=a");
    ApiResponse response = get("/api/query?" + RANGE + "&m=sum:n");
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("Got Infinity: Infinity from 1500001230250 ms");
  }

  /** A bucket without points must not hide those before it. */
  @Test
  void ofFilledBucketsOfOneSecondTheLastNumberCounts() {
    put("n 1500001230250 1 host=a");
    put("n 1500001230500 2 host=a");
    assertThat(query("m=sum:100ms-sum-nan:n"))
        .contains("\"1500001230\":2.0,\"1500001231\":\"NaN\"");
  }

  /** Each of them has the values of all series already. */
  @Test
  void pointsOfOneSecondOfSeveralSeriesAreNotAddedUp() {
    for (int ms = 0; ms < 10_000; ms += 100) {
      put("n " + (1_500_001_230_000L + ms) + " 1 host=a");
      put("n " + (1_500_001_230_050L + ms) + " 1 host=b");
    }
    assertThat(query("m=sum:n"))
        .contains("\"dps\":{\"1500001230\":2,\"1500001231\":2,")
        .doesNotContain(":40");
  }

  @Test
  void aLongResultHasEachSecondOnce() {
    int seconds = 10_000;
    String point =
        ",{'metric':'n','timestamp':%s,'value':1,'tags':{'host':'a'}}".replace('\'', '"');
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < seconds; i++) {
      body.append(point.formatted(1_500_001_200L + i));
      body.append(point.formatted(1_500_001_200_500L + i * 1000L));
    }
    assertThat(api.respond(ApiCall.of("POST", "/api/put", "[" + body.substring(1) + "]")).status())
        .isEqualTo(204);
    String points = get("/api/query?start=1500001200&end=1500091200&m=sum:n").body();
    assertThat(points.split("\":2", -1)).hasSize(seconds + 1);
    assertThat(points).doesNotContain("\":1,").endsWith("\"1500011199\":2}}]");
  }

  @Test
  void tagsAndFiltersBothApply() {
    String filters = ",'filters':[{'type':'literal_or','tagk':'host','filter':'b'}]";
    String tags = ",'tags':{'dc':'lga'}";
    String both = post(body("", tags + filters)).body();
    assertThat(both).contains("\"host\":\"b\"").containsOnlyOnce("\"metric\"");
    assertThat(post(body("", filters + tags)).body()).isEqualTo(both);
    assertThat(post(body("", filters + ",'tags':{'host':'a'}")).body()).isEqualTo("[]");
    assertThat(post(body("", ",'tags':{'host':'a'}" + filters)).body()).isEqualTo("[]");
  }

  /** As Grafana sends them, whichever its panel has first. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "[]"})
  void emptyTagsOrFiltersLeaveTheOthersAlone(String empty) {
    String filters = ",'filters':[{'type':'literal_or','tagk':'host','filter':'b'}]";
    String noTags = ",'tags':" + empty;
    String tags = ",'tags':{'host':'b'}";
    String noFilters = ",'filters':" + empty;
    for (String one :
        List.of(
            filters,
            filters + noTags,
            noTags + filters,
            tags,
            tags + noFilters,
            noFilters + tags)) {
      assertThat(post(body("", one)).body()).contains("\"host\":\"b\"").doesNotContain(":2.5");
    }
    assertThat(post(body("", noTags + noFilters)).body()).contains(":5.5");
  }

  @Test
  void strictlyTheLaterOfTagsAndFiltersCounts() {
    openStrictly();
    String filters = ",'filters':[{'type':'literal_or','tagk':'host','filter':'b'}]";
    String tags = ",'tags':{'host':'a'}";
    assertThat(post(body("", filters + tags)).body()).contains("\"host\":\"a\"");
    assertThat(post(body("", tags + filters)).body())
        .contains("\"host\":\"b\"")
        .doesNotContain("\"host\":\"a\"");
    assertThat(post(body("", filters + ",'tags':{}")).body()).contains("5.5");
    assertThat(post(body("", ",'tags':[]")).status()).isEqualTo(400);
  }

  /** A maximum of 0 or null is absent: a smaller value is not a negative rate. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "null", "'0'", "''", "0.0", "{}", "9223372036854775807"})
  void aCounterWithoutAMaximumHasNone(String max) {
    put("n 1500001230 5 host=a");
    put("n 1500001240 3 host=a");
    String none = query("m=sum:rate{counter}:n");
    assertThat(none).contains("\"1500001240\":9.2");
    String options = ",'rate':true,'rateOptions':{'counter':true,'counterMax':%s,'resetValue':%s}";
    for (String reset : List.of("0", "null", "'0'")) {
      assertThat(post(body("", options.formatted(max, reset)).replace("'m'", "'n'")).body())
          .isEqualTo(none);
    }
  }

  @Test
  void noSpellingOfAMaximumOfZeroIsOne() {
    put("n 1500001230 5 host=a");
    put("n 1500001240 3 host=a");
    String none = query("m=sum:rate{counter}:n");
    for (String options : List.of("counter,0,0", "counter,0", "counter,,0", "counter,0,")) {
      assertThat(query("m=sum:rate{" + options + "}:n")).as(options).isEqualTo(none);
    }
    assertThat(get("/api/query?" + RANGE + "&m=sum:rate{counter,-5}:n").body())
        .contains("the maximum of a counter can't be negative");
    openStrictly();
    put("n 1500001230 5 host=a");
    put("n 1500001240 3 host=a");
    assertThat(query("m=sum:rate{counter,0}:n")).contains("\"1500001240\":-0.2");
  }

  @Test
  void aWholeRangeIsOneBucketAlsoWithoutTheZero() {
    assertThat(query("m=sum:all-sum:m{host=a}")).isEqualTo(query("m=sum:0all-sum:m{host=a}"));
    assertThat(query("m=sum:all-sum-zero:m{host=a}")).contains("\"dps\":{");
  }
}
