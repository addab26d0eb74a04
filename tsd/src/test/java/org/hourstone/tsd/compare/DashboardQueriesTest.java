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

  @Test
  void aDashboardInTheNewerFormIsNamed() throws JsonProcessingException {
    add("{\"kind\":\"Dashboard\",\"spec\":{\"elements\":{\"panel-1\":{\"kind\":\"Panel\"}}}}");
    add("{\"elements\":{}}");

    assertThat(list.requests()).isEmpty();
    assertThat(list.skipped())
        .containsOnlyKeys("the dashboard is in Grafana's form V2: export it as Classic");
  }
}
