package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.hourstone.MemorySettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.error.RequestException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/**
 * Whatever a client sends to any endpoint, by any method, or as a line: none of it is a fault of
 * the server, and every JSON response can be read and has no name twice. {@code
 * -Drequests.random=N} plays N random sequences of requests, {@code -Drequests.seed} others.
 */
class RequestFuzzTest {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final int RANDOM = Integer.getInteger("requests.random", 300);
  private static final long SEED = Long.getLong("requests.seed", 1);

  /** In a sequence later requests find what earlier ones have stored. */
  private static final int MOST_REQUESTS = 10;

  private static final String POINTS =
      IntStream.range(0, 60)
          .mapToObj(
              i ->
                  """
                  {"metric":"f.%s","timestamp":%d,"value":%s,"tags":{"host":"%s","dc":"d1"}}"""
                      .formatted(
                          List.of("cpu", "mem", "ms").get(i % 3),
                          1_500_001_200_000L + i * 250L,
                          i % 2 == 0 ? "1" : "2.5",
                          i % 5 == 0 ? "a" : "b"))
          .toList()
          .toString();

  @FuzzTest(maxExecutions = 5_000)
  void changedRequestsAreAnswered(FuzzedDataProvider data) throws IOException {
    RequestMutator mutator =
        new RequestMutator(bound -> data.remainingBytes() > 0 ? data.consumeInt(0, bound - 1) : 0);
    try (ModelStore store = store();
        Tsdb db = filled(store)) {
      for (int i = 0; i == 0 || (i < MOST_REQUESTS && data.remainingBytes() > 0); i++) {
        check(db, mutator.next());
      }
    }
  }

  @Test
  void randomRequestsAreAnswered() throws IOException {
    for (int i = 0; i < RANDOM; i++) {
      Random random = new Random(SEED * 1_000_000_007L + i);
      RequestMutator mutator = new RequestMutator(random::nextInt);
      try (ModelStore store = store();
          Tsdb db = filled(store)) {
        for (int j = 0; j < MOST_REQUESTS; j++) {
          check(db, mutator.next());
        }
      }
    }
  }

  @Test
  void validRequestsAreAnswered() throws IOException {
    try (ModelStore store = store();
        Tsdb db = filled(store)) {
      for (RequestMutator.Request request : RequestMutator.valid()) {
        check(db, request);
      }
    }
  }

  private static ModelStore store() {
    return new ModelStore(new ManualClock(Instant.ofEpochSecond(1_500_001_400)));
  }

  private static Tsdb filled(ModelStore store) {
    Tsdb db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(new ManualClock(Instant.ofEpochSecond(1_500_001_400)))
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(MemorySettings.WRITE_THREADS, "1")
                .with(QuerySettings.ALLOW_DELETE, "true")
                .with(QuerySettings.QUERY_REGEX_STEPS, "100000")
                .with(QuerySettings.QUERY_MAX_POINTS, "1000000")
                .with(Settings.META_REALTIME_TS, "true")
                .with(Settings.META_REALTIME_UID, "true")
                .with(Settings.META_TRACKING, "true")
                .with(
                    Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":0}")
                .with(Settings.ROLLUPS_ENABLE, "true")
                .with(Settings.ROLLUPS_CONFIG, ROLLUPS));
    Api api = new Api(db);
    respond(api, "POST", "/api/tree", "{\"name\":\"t\",\"enabled\":true,\"storeFailures\":true}");
    respond(
        api,
        "POST",
        "/api/tree/rule",
        "{\"treeId\":1,\"level\":0,\"type\":\"METRIC\",\"separator\":\"\\\\.\"}");
    assertThat(respond(api, "POST", "/api/put", POINTS).status()).isEqualTo(204);
    db.flush();
    return db;
  }

  private static final String ROLLUPS =
      """
      {"aggregationIds":{"sum":0,"count":1,"min":2,"max":3},"intervals":[
      {"table":"tsdb","preAggregationTable":"tsdb-preagg","interval":"1m","rowSpan":"1h",
      "defaultInterval":true},
      {"table":"tsdb-rollup-1h","preAggregationTable":"tsdb-rollup-agg-1h","interval":"1h",
      "rowSpan":"1d"}]}""";

  private static ApiResponse respond(Api api, String method, String uri, String body) {
    return api.respond(ApiCall.of(method, uri, body));
  }

  private static void check(Tsdb db, RequestMutator.Request request) throws IOException {
    if (request.method().equals("LINE")) {
      checkLine(db, request);
      return;
    }
    try (ApiResponse response = byAnyWay(new Api(db), request)) {
      assertThat(response.status()).as("%s", request).isBetween(200, 599).isNotEqualTo(500);
      boolean isJson = response.contentType().startsWith("application/json");
      String body = response.status() == 304 ? "" : bodyOf(response);
      if (isJson && !body.isEmpty()) {
        checkJson(body, request);
      }
    }
  }

  private static String bodyOf(ApiResponse response) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    response.writeTo(out);
    return out.toString(UTF_8);
  }

  /** Points as bytes in parts, if they may be, and everything else as text. */
  private static ApiResponse byAnyWay(Api api, RequestMutator.Request request) {
    try {
      if (!api.takesParts(request.uri())) {
        return respond(api, request.method(), request.uri(), request.body());
      }
      ApiUpload upload =
          api.upload(request.method(), request.uri(), new Disconnection(), Role.all());
      byte[] body = request.body().getBytes(UTF_8);
      for (int i = 0; i < body.length; i += 100) {
        ApiResponse refusal = upload.add(body, i, Math.min(body.length, i + 100));
        if (refusal != null) {
          return refusal;
        }
      }
      return upload.end();
    } catch (RequestException e) { // as the transport reports it
      return ApiResponse.error(400, e.getMessage(), "");
    }
  }

  private static void checkJson(String body, RequestMutator.Request request) {
    try (JsonParser json = JSON.createParser(body)) {
      while (json.nextToken() != null) {
        json.getText();
      }
    } catch (IOException e) {
      throw new AssertionError(request + " has the response " + body, e);
    }
  }

  private static void checkLine(Tsdb db, RequestMutator.Request request) {
    try {
      assertThat(new Telnet(db).respond(request.uri()).join())
          .as("%s", request)
          .doesNotContain("internal error");
    } catch (CompletionException e) {
      throw new AssertionError(request.toString(), e);
    }
  }
}
