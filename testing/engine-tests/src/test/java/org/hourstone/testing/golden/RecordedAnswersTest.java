package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What OpenTSDB answered about annotations, metadata and trees is what the API answers here, to the
 * byte; only the run's clock is left out.
 */
class RecordedAnswersTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> PATHS =
      List.of("/api/annotation", "/api/uid/uidmeta", "/api/uid/tsmeta", "/api/tree");

  @TestFactory
  Stream<DynamicTest> annotationsAreAnsweredAsRecorded() throws IOException {
    return scenarios(GoldenContract.class, "annotations.json");
  }

  @TestFactory
  Stream<DynamicTest> metadataIsAnsweredAsRecorded() throws IOException {
    return scenarios(GoldenContract.class, "meta.json");
  }

  @TestFactory
  Stream<DynamicTest> treesAreAnsweredAsRecorded() throws IOException {
    return scenarios(GoldenContract.class, "tree.json");
  }

  /** Of the recorded sequence of requests those about annotations and metadata. */
  @TestFactory
  Stream<DynamicTest> requestsInSequenceAreAnsweredAsRecorded() throws IOException {
    return scenarios(RecordedAnswersTest.class, "http-metadata.json");
  }

  private static Stream<DynamicTest> scenarios(Class<?> near, String file) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (InputStream json = near.getResourceAsStream(file)) {
      for (JsonNode scenario : JSON.readTree(json)) {
        tests.add(
            DynamicTest.dynamicTest(scenario.required("scenario").asText(), () -> play(scenario)));
      }
    }
    return tests.stream();
  }

  private static void play(JsonNode scenario) {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_795_220_727));
    try (ModelStore store = new ModelStore(clock)) {
      for (JsonNode stage : scenario.required("stages")) {
        try (Tsdb db = Tsdb.over(store, options(scenario, clock))) {
          Api api = new Api(db);
          stage.path("writes").forEach(write -> write(db, api, write));
          db.flush(); // until series are noted and sorted into trees, too
          for (JsonNode query : stage.path("queries")) {
            if (PATHS.stream().anyMatch(query.required("path").asText()::startsWith)) {
              compare(api, query);
            }
          }
        }
      }
    }
  }

  private static TsdbOptions options(JsonNode scenario, ManualClock clock) {
    TsdbOptions options =
        TsdbOptions.openTsdbDefaults()
            .withClock(clock)
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(QuerySettings.TIMEZONE, "UTC");
    for (Map.Entry<String, JsonNode> setting : scenario.path("config").properties()) {
      options =
          options.with(Settings.find(setting.getKey()).orElseThrow(), setting.getValue().asText());
    }
    return options;
  }

  private static void write(Tsdb db, Api api, JsonNode write) {
    if (!write.required("op").asText().equals("put")) {
      db.flush(); // a write is acknowledged before its metadata is stored
      compare(api, write);
      return;
    }
    Map<String, String> tags = new LinkedHashMap<>();
    write.required("tags").properties().forEach(e -> tags.put(e.getKey(), e.getValue().asText()));
    assertThat(write.required("type").asText()).isEqualTo("int");
    db.put(
            write.required("metric").asText(),
            Instant.ofEpochSecond(write.required("timestamp").asLong()),
            write.required("value").asLong(),
            Tags.of(tags))
        .join();
  }

  private static void compare(Api api, JsonNode recorded) {
    JsonNode body = recorded.path("body");
    String text =
        body.isMissingNode() || body.isNull()
            ? ""
            : body.isTextual() ? body.asText() : body.toString();
    ApiResponse answer =
        api.respond(
            ApiCall.of(
                recorded.path("method").asText("GET"), recorded.required("path").asText(), text));
    int status = recorded.required("status").asInt();
    String response = recorded.path("response").asText();
    if (QuotedClasses.firstIn(response) >= 0) {
      assertThat(answer.status()).describedAs("%s", recorded).isEqualTo(status);
      assertThat(answer.body()).startsWith("{\"error\":{\"code\":" + status + ",\"message\":\"");
      return;
    }
    assertThat(answer.status() + " " + withoutClock(answer.body()))
        .describedAs("%s", recorded)
        .isEqualTo(status + " " + withoutClock(response));
  }

  private static String withoutClock(String json) {
    return json.replaceAll("\"(created|lastReceived)\":[1-9][0-9]*", "\"$1\":NOW");
  }
}
