package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Annotations and other texts use bounded memory, as they are stored and in responses. */
class LargeTextsTest {
  private static final int HOUR = 1_500_001_200;
  private static final String TEXT = "x".repeat(1_000);

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final ModelStore store = new ModelStore(clock);
  private final List<Integer> readAtOnce = new ArrayList<>();
  private final KeyValueStore observed =
      new ForwardingStore(store) {
        @Override
        public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
          readAtOnce.add(rows.size());
          return super.get(family, rows, columns);
        }
      };
  private final Tsdb db = Tsdb.over(observed, options("5000"));
  private final Api api = new Api(db);

  private TsdbOptions options(String annotationBytes) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(Settings.MAX_ANNOTATION_BYTES, annotationBytes)
        .with(QuerySettings.QUERY_MEMORY_BYTES, "50000");
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private ApiResponse request(String method, String uri, String body) {
    return api.respond(ApiCall.of(method, uri, body));
  }

  private ApiResponse post(String uri, String body) {
    return request("POST", uri, body);
  }

  private ApiResponse save(int time, String notes) {
    return request(
        "POST",
        "/api/annotation",
        "{\"startTime\":%d,\"description\":\"d\",\"notes\":\"%s\"}".formatted(time, notes));
  }

  @Test
  void theAnnotationsOfAnHourHaveABoundThatTheRefusalNames() {
    for (int i = 0; i < 4; i++) {
      assertThat(save(HOUR + i, TEXT).status()).isEqualTo(200);
    }

    ApiResponse refusal = save(HOUR + 4, TEXT);

    assertThat(refusal.status()).isEqualTo(413);
    assertThat(refusal.body()).contains("more than 5000 (hourstone.annotation.max_hour_bytes)");
    assertThat(save(HOUR + 3, TEXT + "y").status()).as("in place of one").isEqualTo(200);
    assertThat(save(HOUR + 3_600, TEXT).status()).as("of the next hour").isEqualTo(200);
  }

  /** A small change may have a large response. */
  @Test
  void aResponseToManyChangesHasABound() {
    assertThat(save(HOUR, TEXT).status()).isEqualTo(200);
    String change = "{\"startTime\":%d,\"description\":\"e\"}".formatted(HOUR);

    String uri = "/api/annotation/bulk";
    assertThat(request("POST", uri, "[" + change + "]").body()).contains(TEXT);
    ApiResponse refusal = request("POST", uri, "[" + (change + ",").repeat(100) + change + "]");

    assertThat(refusal.status()).isEqualTo(413);
    assertThat(refusal.body())
        .containsPattern("The annotations after \\[\\d\\] were not stored")
        .contains("hourstone.query.limits.memory_bytes");
    assertThat(db.runningQueries().list()).isEmpty();
  }

  /** Each of the rows may have as many bytes as an hour may have. */
  @Test
  void annotationsOfManyHoursAreReadInParts() {
    post(
        "/api/put",
        "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"h\":\"a\"}}");
    readAtOnce.clear();
    ApiResponse deleted =
        request(
            "DELETE",
            "/api/annotation/bulk?tsuids=000001000001000001&start_time=%d&end_time=%d"
                .formatted(HOUR, HOUR + 500 * 3_600),
            "");
    assertThat(deleted.body()).contains("\"totalDeleted\":0");
    assertThat(readAtOnce).isNotEmpty().allMatch(rows -> rows <= 8);
  }

  /** Room for 1 MB is taken by each request; what is made of more counts for itself. */
  @Test
  void withoutABoundALargeAnnotationIsCounted() {
    String large = "x".repeat((1 << 20) + 10_000);
    String small = "x".repeat(1_000_000);
    try (ModelStore other = new ModelStore(clock);
        Tsdb unbounded = Tsdb.over(other, options("0"))) {
      Api its = new Api(unbounded);
      String uri = "/api/annotation?start_time=" + HOUR;
      String text = "{\"startTime\":" + HOUR + ",\"notes\":\"%s\"}";
      assertThat(its.respond(ApiCall.of("POST", "/api/annotation", text.formatted(small))).status())
          .isEqualTo(200);
      assertThat(its.respond(ApiCall.of("GET", uri, "")).status()).isEqualTo(200);

      for (String path : List.of("/api/annotation", "/api/annotation/bulk")) {
        String body = text.formatted(large);
        ApiResponse refusal =
            its.respond(ApiCall.of("POST", path, path.endsWith("k") ? "[" + body + "]" : body));
        assertThat(refusal.status()).as(path).isEqualTo(413);
        assertThat(refusal.body()).contains("hourstone.query.limits.memory_bytes");
      }
      assertThat(its.respond(ApiCall.of("GET", uri, "")).body()).contains(small);

      unbounded.annotations().save(new Annotation("", HOUR, 0, "d", large, null), true);
      assertThat(its.respond(ApiCall.of("GET", uri, "")).status()).isEqualTo(413);
      assertThat(unbounded.runningQueries().list()).isEmpty();
      assertThat(unbounded.runningQueries().memoryBytes()).isZero();
    }
  }

  @Test
  void namesAndTheirUidsHaveABound() {
    String names =
        IntStream.range(0, 300).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(","));
    ApiResponse refusal = post("/api/uid/assign", "{\"tagv\":[" + names + "]}");
    assertThat(refusal.status()).isEqualTo(413);
    assertThat(refusal.body())
        .containsPattern("The names from tagv\\[1\\d\\d\\] on were not assigned")
        .contains("hourstone.query.limits.memory_bytes");
    assertThat(request("GET", "/api/suggest?type=tagv&q=n99", "").body()).isEqualTo("[\"n99\"]");
    assertThat(request("GET", "/api/suggest?type=tagv&q=n299", "").body()).isEqualTo("[]");

    String odd =
        IntStream.range(0, 300).mapToObj(i -> "[" + i + "]").collect(Collectors.joining(","));
    assertThat(post("/api/uid/assign", "{\"tagv\":[" + odd + "]}").status()).isEqualTo(413);
  }

  @Test
  void metadataHasABound() {
    post(
        "/api/put",
        "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"h\":\"a\"}}");
    String meta = "{\"uid\":\"000001\",\"type\":\"metric\",\"notes\":\"%s\"}";
    assertThat(post("/api/uid/uidmeta", meta.formatted("x".repeat(65_000))).status())
        .isEqualTo(200);
    ApiResponse refusal = post("/api/uid/uidmeta", meta.formatted("x".repeat(66_000)));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.body()).contains("more than the limit of 65536");
  }

  @Test
  void aTreeHasABoundWithItsRules() {
    assertThat(post("/api/tree", "{\"name\":\"t\"}").status()).isEqualTo(200);
    String rule =
        "{\"treeId\":1,\"level\":%d,\"order\":0,\"type\":\"METRIC\",\"notes\":\""
            + "x".repeat(100_000)
            + "\"}";
    for (int level = 0; level < 2; level++) {
      assertThat(post("/api/tree/rule", rule.formatted(level)).status()).isEqualTo(200);
    }
    for (ApiResponse refusal :
        List.of(
            post("/api/tree/rule", rule.formatted(2)),
            request(
                "PUT",
                "/api/tree/rules",
                "[%s,%s,%s]".formatted(rule.formatted(1), rule.formatted(2), rule.formatted(3))))) {
      assertThat(refusal.status()).isEqualTo(413);
      assertThat(refusal.body()).contains("more than 262144");
    }
    assertThat(post("/api/tree/rule", rule.formatted(1)).status()).as("the same").isEqualTo(200);
  }

  @Test
  void moreTreesThanARequestMayHaveAreRefusedWithTheLimit() {
    String tree = "{\"name\":\"t\",\"notes\":\"%s\"}".formatted(TEXT);
    for (int i = 0; i < 10; i++) {
      assertThat(post("/api/tree", tree).status()).isEqualTo(200);
    }
    ApiResponse refusal = request("GET", "/api/tree", "");
    assertThat(refusal.status()).isEqualTo(413);
    assertThat(refusal.body()).contains("hourstone.query.limits.memory_bytes");
    assertThat(request("GET", "/api/tree?treeid=3", "").body()).contains(TEXT);
  }

  /** It is generated while it is written instead. */
  @Test
  void aListForWhichThereIsNoMemoryIsComplete() {
    String names =
        IntStream.range(0, 100)
            .mapToObj(i -> "\"" + (i < 10 ? "0" : "") + i + TEXT + "\"")
            .collect(Collectors.joining(","));
    for (String name : names.split(",")) {
      assertThat(post("/api/uid/assign", "{\"tagv\":[" + name + "]}").status()).isEqualTo(200);
    }

    try (ApiResponse response = request("GET", "/api/suggest?type=tagv&max=100", "")) {
      assertThat(db.runningQueries().list().get(0).memoryBytes()).isZero();
      assertThat(response.body()).isEqualTo("[" + names + "]");
    }
    try (ApiResponse response = request("GET", "/api/suggest?type=tagv&max=5", "")) {
      assertThat(db.runningQueries().list().get(0).memoryBytes()).isGreaterThan(5_000);
      assertThat(response.body()).hasSize(5 * (TEXT.length() + 5) + 1);
    }
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void moreAnnotationsThanARequestMayHaveAreRefusedWithTheLimit() {
    for (int i = 0; i < 10; i++) {
      assertThat(save(HOUR + i * 3_600, TEXT).status()).isEqualTo(200);
    }
    request(
            "POST",
            "/api/put",
            "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"h\":\"a\"}}")
        .close();
    String annotations = "/api/annotations?start_time=" + HOUR + "&end_time=";
    String query = "/api/query?m=sum:m&global_annotations&start=" + HOUR + "&end=";

    for (String uri : new String[] {annotations, query}) {
      assertThat(request("GET", uri + (HOUR + 5 * 3_600 - 1), "").body()).contains(TEXT);
      ApiResponse refusal = request("GET", uri + (HOUR + 10 * 3_600), "");
      assertThat(refusal.status()).as(uri).isEqualTo(413);
      assertThat(refusal.body()).contains("hourstone.query.limits.memory_bytes");
    }
    assertThat(db.runningQueries().list()).isEmpty();
  }
}
