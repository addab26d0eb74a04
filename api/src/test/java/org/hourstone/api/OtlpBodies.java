package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;

/** A database to which bodies of OTLP are sent: none of them may be a fault of the server. */
final class OtlpBodies implements AutoCloseable {
  private final LoggedBy log = LoggedBy.anyThread("org.hourstone.refused");
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_400));
  private final ModelStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.AUTO_CREATE_METRICS, "true")
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(MemorySettings.WRITE_THREADS, "1"));
  private final Api api = new Api(db);

  void checkChanged(IntUnaryOperator choices) throws IOException {
    ExportMetricsServiceRequest request = new OtlpRequests(choices).next();
    boolean isJson = choices.applyAsInt(2) == 0;
    byte[] body =
        isJson
            ? JsonFormat.printer().print(request).getBytes(StandardCharsets.UTF_8)
            : request.toByteArray();
    for (int i = choices.applyAsInt(4); i > 0 && body.length > 0; i--) {
      int at = choices.applyAsInt(body.length);
      switch (choices.applyAsInt(4)) {
        case 0 -> body[at] = (byte) choices.applyAsInt(256);
        case 1 -> body[at] ^= (byte) (1 << choices.applyAsInt(8));
        case 2 -> body = Arrays.copyOf(body, at);
        default -> {
          int to = choices.applyAsInt(body.length);
          System.arraycopy(body, at, body, to, body.length - Math.max(at, to));
        }
      }
    }
    check(isJson, body);
  }

  void check(boolean isJson, byte[] body) {
    String type = isJson ? "application/json" : "application/x-protobuf";
    try (ApiResponse response =
        api.respond("POST", "/v1/metrics", type, body, new Disconnection(), Role.all())) {
      assertThat(response.status()).as("%s", Arrays.toString(body)).isIn(200, 400);
    }
  }

  @Override
  public void close() {
    db.close();
    store.close();
    log.close();
  }
}
