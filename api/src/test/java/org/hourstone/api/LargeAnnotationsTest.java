package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Annotations use bounded memory, in their rows and in responses. */
class LargeAnnotationsTest {
  private static final int HOUR = 1_500_001_200;
  private static final String TEXT = "x".repeat(1_000);

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final ModelStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.AUTO_CREATE_METRICS, "true")
              .with(Settings.MAX_ANNOTATION_BYTES, "5000")
              .with(QuerySettings.QUERY_MEMORY_BYTES, "50000"));

  private final Api api = new Api(db);

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private ApiResponse request(String method, String uri, String body) {
    return api.respond(ApiCall.of(method, uri, body));
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
