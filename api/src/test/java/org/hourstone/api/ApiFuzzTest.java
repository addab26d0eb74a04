package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.InstantSource;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.testkit.store.ModelStore;

/**
 * Whatever is asked of the HTTP API, there is a response: a status that is not a fault of the
 * server, and JSON or nothing. An input is a line {@code METHOD URI} and the request's body.
 */
class ApiFuzzTest {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  @FuzzTest(maxExecutions = 30_000)
  void requestsAreAnswered(byte[] input) throws IOException {
    String text = new String(input, UTF_8);
    int line = text.indexOf('\n');
    String request = line < 0 ? text : text.substring(0, line);
    int space = request.indexOf(' ');
    ApiCall call;
    try {
      call =
          ApiCall.of(
              space < 0 ? "GET" : request.substring(0, space),
              request.substring(space + 1),
              line < 0 ? "" : text.substring(line + 1));
    } catch (RequestException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    ApiResponse response = respond(call);
    assertThat(response.status()).isBetween(200, 599).isNotEqualTo(500);
    if (!response.body().isEmpty() && response.contentType().startsWith("application/json")) {
      assertThat(JSON.readTree(response.body()).isMissingNode()).isFalse();
    }
  }

  private static ApiResponse respond(ApiCall call) {
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(MemorySettings.WRITE_THREADS, "1");
    try (ModelStore store = new ModelStore(InstantSource.system());
        Tsdb db = Tsdb.over(store, options)) {
      return new Api(db).respond(call);
    }
  }
}
