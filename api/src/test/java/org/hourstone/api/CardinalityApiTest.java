package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.junit.jupiter.api.Test;

/** Requests to {@code /api/cardinality}. */
class CardinalityApiTest extends ApiCase {
  @Override
  void putPoints() {
    put("cpu 1500001200 1 host=a dc=x");
    put("cpu 1500001200 1 host=b dc=x");
    put("cpu 1500001200 1 host=b");
    put("up 1500001200 1 host=a");
  }

  private String get(String parameters) {
    return api.respond(ApiCall.of("GET", "/api/cardinality" + parameters, "")).toString();
  }

  @Test
  void metricsAreListedByTheirNumberOfSeries() {
    assertThat(get(""))
        .isEqualTo(
            "200 {\"metrics\":2,\"series\":4,\"results\":["
                + "{\"metric\":\"cpu\",\"series\":3},{\"metric\":\"up\",\"series\":1}]}");
  }

  @Test
  void totalsCountTheMetricsThatAreLeftOut() {
    assertThat(get("?max=1"))
        .isEqualTo(
            "200 {\"metrics\":2,\"series\":4,\"results\":[{\"metric\":\"cpu\",\"series\":3}]}");
  }

  @Test
  void metricsAreChosenByTheirBeginning() {
    assertThat(get("?q=u"))
        .isEqualTo(
            "200 {\"metrics\":1,\"series\":1,\"results\":[{\"metric\":\"up\",\"series\":1}]}");
  }

  @Test
  void aMetricIsCountedByItsTagNamesAndByTheValuesOfOne() {
    assertThat(get("?metric=cpu"))
        .isEqualTo(
            "200 {\"metric\":\"cpu\",\"series\":3,\"tags\":["
                + "{\"tagk\":\"dc\",\"series\":2,\"values\":1},"
                + "{\"tagk\":\"host\",\"series\":3,\"values\":2}]}");
    assertThat(get("?metric=cpu&tagk=host"))
        .isEqualTo(
            "200 {\"metric\":\"cpu\",\"tagk\":\"host\",\"series\":3,\"values\":2,\"results\":["
                + "{\"tagv\":\"b\",\"series\":2},{\"tagv\":\"a\",\"series\":1}]}");
    assertThat(get("?metric=cpu&tagk=host&max=1")).endsWith("[{\"tagv\":\"b\",\"series\":2}]}");
  }

  @Test
  void unknownNamesAndNumbersAreRefused() {
    assertThat(get("?metric=nosuch")).startsWith("400 ").contains("nosuch");
    assertThat(get("?metric=cpu&tagk=nosuch")).startsWith("400 ").contains("nosuch");
    assertThat(get("?max=x")).startsWith("400 ").contains("Unable to parse 'max'");
    assertThat(api.respond(ApiCall.of("POST", "/api/cardinality", "")).status()).isEqualTo(405);
  }

  @Test
  void withoutTheIndexThereIsNoAnswer() {
    close();
    open(TsdbOptions.defaults().with(Settings.INDEX_ENABLE, "false"));

    for (String parameters : new String[] {"", "?metric=cpu", "?metric=cpu&tagk=host"}) {
      assertThat(get(parameters)).startsWith("400 ").contains("the series index can't be used");
    }
  }
}
