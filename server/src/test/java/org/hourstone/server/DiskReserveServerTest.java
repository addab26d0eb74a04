package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients and operators of a server see of a disk that is nearly full. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DiskReserveServerTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"h\":\"b\"}}";

  private final TroubledStore store = new TroubledStore();
  private Served server;

  @BeforeEach
  void start() throws IOException {
    Tsdb db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(TroubledStore.CLOCK)
                .with(Settings.DISK_RESERVE, "100")
                .with(Settings.AUTO_CREATE_METRICS, "true"));
    server =
        new Served(
            db,
            Server.start(
                db,
                Build.of("1.2.3"),
                ServerTest.options(InetAddress.getLoopbackAddress()),
                Plotter.none()));
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void set(long free, int ready) throws IOException {
    store.free = free;
    while (server.get("/readyz").status() != ready) {
      Thread.onSpinWait();
    }
  }

  private Response put(String parameters, String... points) throws IOException {
    return server.post("/api/put" + parameters, "[" + String.join(",", points) + "]");
  }

  private static String point(int second, String value) {
    return POINT.formatted(1_500_000_000 + second, value);
  }

  @Test
  void pointsAreRefusedAndCountedEachAndAcceptedAgain() throws IOException {
    assertThat(put("", point(0, "1")).status()).isEqualTo(204);
    assertThat(server.get("/metrics").body())
        .contains("hourstone_disk_free_bytes 500.0", "hourstone_disk_size_bytes 1000.0")
        .contains("hourstone_disk_reserve_bytes 100.0");
    set(99, 503);

    Response refused = put("?details", point(1, "1"), point(2, "2"));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.body())
        .contains("\"success\":0", "\"failed\":2", "Storage exception: refused: the disk is");
    assertThat(put("", point(3, "1")).status()).isEqualTo(503);
    assertThat(put("", point(4, "1"), point(5, "\"x\"")).status())
        .as("a bad one too")
        .isEqualTo(503);
    assertThat(server.post("/api/annotation", "{\"startTime\":1500000000,\"description\":\"d\"}"))
        .extracting(Response::status)
        .isEqualTo(503);
    try (Client telnet = server.connect()) {
      telnet.send("put m 1500000004 1 h=b\nput new 1500000004 1 h=b\n");
      telnet.endOfInput();
      assertThat(telnet.rest().lines())
          .hasSize(2)
          .allMatch(
              line -> line.startsWith("put: storage error: refused: the disk is nearly full"));
    }
    assertThat(server.get("/metrics").body())
        .contains(
            "hourstone_refused_total{reason=\"disk_reserve\"} 7.0",
            "hourstone_points_refused_total 7.0")
        .contains(
            "hourstone_refused_total{reason=\"hbase_errors\"} 0.0",
            "hourstone_disk_free_bytes 99.0");
    assertThat(server.get("/readyz").body())
        .startsWith("new points are refused: the disk is nearly full: ");
    assertThat(server.get("/healthz").status()).isEqualTo(200);
    assertThat(server.get("/logs").body())
        .contains("new points are refused: the disk is nearly full")
        .contains("refused (disk_reserve): ");
    assertThat(server.points("m")).containsExactly("m{h=b} 1500000000 1");

    set(110, 200);
    assertThat(put("", point(1, "1")).status()).isEqualTo(204);
    assertThat(server.get("/logs").body()).contains("new points are accepted again");
  }
}
