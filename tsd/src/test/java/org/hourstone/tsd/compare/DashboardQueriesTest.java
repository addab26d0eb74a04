package org.hourstone.tsd.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests are those that Grafana's data source sends. */
class DashboardQueriesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RequestList list = new RequestList(9);

  /** The queries in the requests of a dashboard with these fields of targets. */
  private List<JsonNode> queries(String... fields) throws JsonProcessingException {
    String targets =
        List.of(fields).stream()
            .map("{\"metric\":\"m\",\"aggregator\":\"sum\",%s}"::formatted)
            .toList()
            .toString();
    String variables =
        "{\"name\":\"max\",\"current\":{\"value\":\"65535\"}},"
            + "{\"name\":\"fill\",\"current\":{\"value\":\"zero\"}}";
    JsonNode dashboard =
        JSON.readTree(
            "{\"templating\":{\"list\":[%s]},\"panels\":[{\"targets\":%s}]}"
                .formatted(variables, targets));
    new DashboardQueries(new RequestTimes(Instant.ofEpochSecond(1_700_000_000)), list)
        .add(dashboard);
    return list.requests().stream().map(DashboardQueriesTest::query).toList();
  }

  private static JsonNode query(SafeRequest request) {
    try {
      return JSON.readTree(request.body()).path("queries").path(0);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | {\"counter\":false,\"dropResets\":true}",
        "\"isCounter\":true | {\"counter\":true,\"dropResets\":true}",
        "\"isCounter\":true,\"counterMax\":\"\" | {\"counter\":true,\"dropResets\":true}",
        "\"isCounter\":true,\"counterMax\":\"9\" | {\"counter\":true,\"counterMax\":9}",
        "\"isCounter\":true,\"counterMax\":\"$max\" | {\"counter\":true,\"counterMax\":65535}",
        "\"isCounter\":true,\"counterResetValue\":\"0\""
            + " | {\"counter\":true,\"resetValue\":0,\"dropResets\":true}",
        "\"isCounter\":true,\"counterResetValue\":\"7\" | {\"counter\":true,\"resetValue\":7}",
      })
  void ratesDropResetsUnlessAGreatestValueIsKnown(String fields, String options)
      throws JsonProcessingException {
    String rate = "\"shouldComputeRate\":true";

    assertThat(queries(fields.isEmpty() ? rate : rate + "," + fields))
        .singleElement()
        .extracting(query -> query.path("rateOptions"))
        .isEqualTo(JSON.readTree(options));
  }

  @Test
  void aQueryWithoutARateHasNoOptionsOfOne() throws JsonProcessingException {
    assertThat(queries("\"isCounter\":true").get(0).has("rateOptions")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0.5s, 500ms", ".25s, 250ms", "1.5s, 1500ms", "10s, 10s", "1m, 1m", "'', 1m"})
  void intervalsAreWhole(String interval, String sent) throws JsonProcessingException {
    String fields =
        "\"downsampleAggregator\":\"max\",\"downsampleFillPolicy\":\"$fill\","
            + "\"downsampleInterval\":\"%s\"";

    assertThat(queries(fields.formatted(interval)).get(0).path("downsample").asText())
        .isEqualTo(sent + "-max-zero");
  }

  @Test
  void hiddenQueriesAreNotSent() throws JsonProcessingException {
    assertThat(queries("\"hide\":true,\"disableDownsampling\":true", "\"hide\":false")).hasSize(1);
    assertThat(list.skipped()).containsOnlyKeys("hidden in the dashboard");
  }

  private void add(String file) throws JsonProcessingException {
    new DashboardQueries(new RequestTimes(Instant.ofEpochSecond(1_700_000_000)), list)
        .add(JSON.readTree(file));
  }

  /** Grafana has three forms of a dashboard; the third one is of another kind. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "{\"dashboard\":%s,\"meta\":{}}",
        "{\"apiVersion\":\"dashboard.grafana.app/v1\",\"kind\":\"Dashboard\",\"spec\":%s}"
      })
  void aDashboardMayBeInTheClassicFormWhateverIsAroundIt(String around)
      throws JsonProcessingException {
    String target = "{\"metric\":\"m\",\"aggregator\":\"sum\",\"disableDownsampling\":true}";
    add(around.formatted("{\"panels\":[{\"targets\":[" + target + "]}]}"));

    assertThat(list.requests()).hasSize(1);
  }

  /** The form V2 as of v2alpha1: the kind of a query is its data source. */
  private static final String V2_ALPHA =
      """
      {"apiVersion":"dashboard.grafana.app/v2alpha1","kind":"Dashboard","metadata":{"name":"a"},
       "spec":{"title":"hosts","layout":{"kind":"GridLayout","spec":{"items":[]}},
        "timeSettings":{"from":"now-2h","to":"2023-11-14T22:13:20Z","autoRefresh":""},
        "variables":[
         {"kind":"QueryVariable","spec":{"name":"host","multi":true,
           "current":{"text":["a","b"],"value":["a","b"]}}},
         {"kind":"CustomVariable","spec":{"name":"dc","current":{"text":"All","value":"$__all"}}},
         {"kind":"SwitchVariable","spec":{"name":"on","current":"true"}}],
        "elements":{
         "panel-1":{"kind":"Panel","spec":{"id":1,"title":"one","data":{"kind":"QueryGroup","spec":{
           "queries":[
            {"kind":"PanelQuery","spec":{"refId":"A","hidden":false,
              "datasource":{"type":"opentsdb","uid":"u"},
              "query":{"kind":"opentsdb","spec":{"metric":"m","aggregator":"sum",
                "disableDownsampling":true,
                "tags":{"host":"$host","dc":"[[dc]]","on":"${on}"}}}}},
            {"kind":"PanelQuery","spec":{"refId":"B","hidden":true,
              "query":{"kind":"opentsdb","spec":{"metric":"n","aggregator":"sum"}}}},
            {"kind":"PanelQuery","spec":{"refId":"C","hidden":false,
              "query":{"kind":"prometheus","spec":{"metric":"n","aggregator":"sum"}}}}],
           "transformations":[],"queryOptions":{}}}}}}}}
      """;

  /** As of v2beta1 and v2: the group of a query is its data source. */
  private static final String V2 =
      """
      {"apiVersion":"dashboard.grafana.app/%s","kind":"Dashboard","metadata":{"name":"a"},
       "spec":{"title":"hosts","layout":{"kind":"AutoGridLayout","spec":{"items":[]}},
        "timeSettings":{"from":"now-1h"},
        "variables":[{"kind":"ConstantVariable","spec":{"name":"agg","query":"max",
          "current":{"text":"max","value":"max"}}}],
        "elements":{
         "panel-1":{"kind":"Panel","spec":{"id":1,"title":"one","data":{"kind":"QueryGroup","spec":{
           "queries":[
            {"kind":"PanelQuery","spec":{"refId":"A","hidden":false,
              "query":{"kind":"DataQuery","group":"opentsdb","version":"v0",
                "datasource":{"name":"u"},
                "spec":{"metric":"m","aggregator":"$agg","downsampleInterval":"5m"}}}},
            {"kind":"PanelQuery","spec":{"refId":"B","hidden":false,
              "query":{"kind":"DataQuery","group":"__expr__","version":"v0",
                "spec":{"metric":"m","aggregator":"sum"}}}}]}}}},
         "panel-2":{"kind":"Panel","spec":{"id":2,"title":"two","data":{"kind":"QueryGroup","spec":{
           "queries":[
            {"kind":"PanelQuery","spec":{"refId":"A","hidden":false,
              "query":{"kind":"DataQuery","group":"","version":"v0","spec":{
                "metric":"n","aggregator":"sum","disableDownsampling":true,
                "filters":[{"type":"wildcard","tagk":"host","filter":"$none"}]}}}}]}}}},
         "panel-3":{"kind":"LibraryPanel","spec":{"id":3,"title":"three",
           "libraryPanel":{"name":"shared","uid":"l"}}}}}}
      """;

  @Test
  void theFormV2IsReadByTheRulesOfTheClassicOne() throws JsonProcessingException {
    add(V2_ALPHA);

    assertThat(list.requests()).hasSize(1);
    JsonNode body = JSON.readTree(list.requests().get(0).body());
    assertThat(body.path("start").asText()).isEqualTo("1699992800000"); // 2 hours before now
    assertThat(body.path("end").asText()).isEqualTo("1700000000000");
    assertThat(body.path("queries"))
        .isEqualTo(
            JSON.readTree(
                """
                [{"metric":"m","aggregator":"sum","tags":{"host":"a|b","dc":"*","on":"true"}}]
                """));
    assertThat(list.skipped()).containsOnlyKeys("hidden in the dashboard");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2beta1", "v2"})
  void laterVersionsOfTheFormV2NameTheDataSourceInAGroup(String version)
      throws JsonProcessingException {
    add(V2.formatted(version));

    assertThat(list.requests().stream().map(DashboardQueriesTest::query))
        .containsExactly(
            JSON.readTree("{\"metric\":\"m\",\"aggregator\":\"max\",\"downsample\":\"5m-avg\"}"));
    assertThat(list.skipped())
        .containsOnlyKeys(
            "variable none has no value in the dashboard",
            "library panels, whose queries are not in the dashboard");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFormV2MayBeInAnAnswerOfTheApiOrWithoutItsResource(boolean answer)
      throws JsonProcessingException {
    JsonNode resource = JSON.readTree(V2_ALPHA);
    add(answer ? "{\"dashboard\":%s}".formatted(resource) : resource.path("spec").toString());

    assertThat(list.requests()).hasSize(1);
  }

  @Test
  void libraryPanelsOfTheClassicFormAreNamed() throws JsonProcessingException {
    add("{\"panels\":[{\"libraryPanel\":{\"name\":\"shared\",\"uid\":\"l\"}}]}");

    assertThat(list.skipped())
        .containsOnlyKeys("library panels, whose queries are not in the dashboard");
  }
}
