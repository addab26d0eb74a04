package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client;
import org.hourstone.server.sender.ProtoFields;
import org.hourstone.testkit.ManualClock;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A point that a process has taken is in its next query, by whichever door it came and whenever its
 * row is sealed. The clock does not move, so no row is sealed by time.
 */
@Timeout(120)
class EveryDoorTest {
  private static final long HOUR = 1_500_001_200;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "memory, true, 0, false",
    "memory, false, 60, false",
    "memory, false, 60, true",
    "memory, false, 0, false",
    "rocksdb, true, 0, false",
    "rocksdb, true, 0, true",
    "rocksdb, false, 60, false",
    "rocksdb, false, 60, true",
    "rocksdb, false, 0, false"
  })
  void aPointIsInTheNextQuery(String store, String head, String interval, String appends)
      throws Exception {
    TsdbOptions options =
        TsdbOptions.defaults()
            .withClock(new ManualClock(Instant.ofEpochSecond(HOUR)))
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.HEAD, head)
            .with(Settings.FLUSH_INTERVAL, interval)
            .with(Settings.ENABLE_APPENDS, appends);
    String uri = store.equals("memory") ? "memory:" : store + ":" + directory.resolve("db");
    try (Tsdb db = Tsdb.open(uri, options);
        ServerPort port = ServerPort.of(db)) {
      assertThat(put(port, 0)).isEqualTo(204);
      assertThat(seconds(port)).containsExactly(0L);

      db.put("m", Instant.ofEpochSecond(HOUR + 1), 1, Tags.of("host", "a")).join();
      assertThat(seconds(port)).containsExactly(0L, 1L);

      String influx = "m,host=b f=1i " + HOUR;
      assertThat(port.http("POST", "/write?precision=s", Map.of(), influx).status()).isEqualTo(204);
      String byInflux = "/api/query?start=" + HOUR + "&end=" + (HOUR + 1) + "&m=none:m.f";
      assertThat(port.http("GET", byInflux, Map.of(), "").body()).contains("{\"" + HOUR + "\":1}");

      // Neither of these waits until the point was taken.
      String line = "put m " + (HOUR + 2) + " 1 host=a\n";
      assertThat(port.telnet(line + "version\n")).contains("hourstone");
      awaitSeconds(port, Set.of(0L, 1L, 2L));

      SeriesWriter series = db.writer().series("m", Map.of("host", "a"));
      SeriesPoints points = db.writer().seriesPoints(new Unconcerned());
      points.add(series, HOUR + 3, 1, 0);
      points.send();
      awaitSeconds(port, Set.of(0L, 1L, 2L, 3L));

      assertThat(remoteWrite(port, 4)).isEqualTo(204);
      assertThat(putByOtlp(port, 5)).isEqualTo(200);
      assertThat(seconds(port)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);

      String sample = "m{host=\"a\"} 1 " + (HOUR + 6) + "000\n";
      assertThat(port.http("POST", "/api/import/prometheus", Map.of(), sample).status())
          .isEqualTo(204);
      assertThat(seconds(port)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(port.http("GET", "/api/export", Map.of(), "").body())
          .contains("m " + (HOUR + 1) + " 1 host=a\n")
          .contains("m " + (HOUR + 6) + " 1.0 host=a\n")
          .endsWith("# end: 8 points; 0 cells omitted\n");
    }
  }

  private static int put(ServerPort port, int second) {
    String body =
        "{\"metric\":\"m\",\"timestamp\":%d,\"value\":1,\"tags\":{\"host\":\"a\"}}"
            .formatted(HOUR + second);
    return port.http("POST", "/api/put", Map.of(), body).status();
  }

  private static int remoteWrite(ServerPort port, int second) throws IOException {
    long millis = (HOUR + second) * 1000;
    byte[] request =
        new ProtoFields()
            .message(1, ProtoFields.series(1, millis, "__name__", "m", "host", "a"))
            .toBytes();
    try (Client client = new Client(port.address())) {
      client.sendRequest("POST", "/api/v1/write", "Connection: close\r\n", request);
      return client.response().status();
    }
  }

  private static int putByOtlp(ServerPort port, int second) {
    String body =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[
        {"timeUnixNano":"%d000000000","asInt":"1","attributes":[
        {"key":"host","value":{"stringValue":"a"}}]}]}}]}]}]}\
        """
            .formatted(HOUR + second);
    Map<String, String> headers = Map.of("Content-Type", "application/json");
    return port.http("POST", "/v1/metrics", headers, body).status();
  }

  /** Of the points that a query reads, within the hour. */
  private static Set<Long> seconds(ServerPort port) throws JsonProcessingException {
    String uri = "/api/query?start=" + HOUR + "&end=" + (HOUR + 3599) + "&m=none:m";
    JsonNode results = JSON.readTree(port.http("GET", uri, Map.of(), "").body());
    Set<Long> seconds = new TreeSet<>();
    for (JsonNode result : results) {
      result.path("dps").fieldNames().forEachRemaining(t -> seconds.add(Long.parseLong(t) - HOUR));
    }
    return seconds;
  }

  private static void awaitSeconds(ServerPort port, Set<Long> expected)
      throws JsonProcessingException {
    while (!seconds(port).equals(expected)) {
      Thread.onSpinWait(); // until the test's timeout
    }
  }

  private static final class Unconcerned implements Receipt {
    @Override
    public void stored(long token) {}

    @Override
    public void failed(long token, RuntimeException reason) {}
  }
}
