package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.kv.StoreMetrics.Metric;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that answers no call, while clients write and read as much as the server lets them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HungStoreTest {
  private static final ManualClock CLOCK = new ManualClock(Instant.ofEpochSecond(1_500_000_000));

  private static final class HungStore extends ActingStore {
    private final CountDownLatch back = new CountDownLatch(1);
    private volatile boolean hangs;
    private volatile boolean fails;

    HungStore() {
      super(new ModelStore(CLOCK));
    }

    @Override
    protected void before() {
      if (fails) {
        throw new StoreException(Outcome.NOT_APPLIED, "connection refused");
      }
      try {
        if (hangs) {
          back.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
      }
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      StoreMetrics own = () -> List.of(new Metric("client_waits_total", "Calls that waited", 3));
      return type == StoreMetrics.class ? Optional.of(type.cast(own)) : super.extension(type);
    }
  }

  private final HungStore store = new HungStore();
  private final List<Client> clients = new ArrayList<>();
  private @Nullable Served served;

  private Served start(TsdbOptions options) throws IOException {
    Tsdb db =
        Tsdb.over(
            store,
            options
                .withClock(CLOCK)
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(MemorySettings.WRITE_QUEUE, "16")
                .with(MemorySettings.WRITE_ATTEMPTS, "1")
                .with(MemorySettings.BUFFERED_POINTS, "1"));
    Served started =
        new Served(
            db,
            Server.start(
                db,
                Build.of("1.2.3"),
                ServerTest.options(InetAddress.getLoopbackAddress()),
                Plotter.none()));
    served = started;
    return started;
  }

  @AfterEach
  void close() throws IOException {
    store.back.countDown();
    store.fails = false;
    for (Client client : clients) {
      client.close();
    }
    if (served != null) {
      served.close();
    }
    store.close();
  }

  /** More writers and readers of each kind than there are threads for them. */
  private void occupyAllThreads(Served server) throws IOException {
    for (int i = 0; i < 20; i++) {
      Client lines = server.connect();
      clients.add(lines);
      StringBuilder text = new StringBuilder();
      for (int k = 0; k < 500; k++) {
        text.append("put m ").append(1_500_000_000 + k).append(" 1 h=a").append(i % 3).append('\n');
      }
      lines.send(text.toString());
      Client http = server.connect();
      clients.add(http);
      String point =
          "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"b\"}}";
      http.sendRequest("POST", "/api/put", "", point.getBytes(UTF_8));
      Client reader = server.connect();
      clients.add(reader);
      reader.sendRequest("GET", "/api/query?start=1400000000&m=sum:m", "", new byte[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/api/stats",
        "/stats",
        "/api/version",
        "/version",
        "/healthz",
        "/logs",
        "/api/stats/jvm",
        "/api/stats/query",
        "/api/query/running",
        "/api/config",
        "/api/aggregators",
        "/"
      })
  void theServerIsMonitored(String uri) throws IOException {
    Served server = start(TsdbOptions.defaults());
    server.post("/api/put", "[]");
    store.hangs = true;
    occupyAllThreads(server);
    assertThat(server.get(uri).status()).isEqualTo(200);
    assertThat(server.get(uri).status()).isEqualTo(200); // what was read the first time is kept
    try (Client telnet = server.connect()) {
      telnet.send("stats\r\nversion\nexit\n");
      assertThat(telnet.rest()).contains("tsd.datapoints.failed", "tsd.rpc.errors", "1.2.3");
    }
  }

  @Test
  void countersOfNamesAreAsLastRead() throws IOException {
    Served server = start(TsdbOptions.defaults());
    try (Client client = server.connect()) {
      client.send("put m 1500000000 1 h=a\nput m 1500000001 1 h=b\n");
      client.endOfInput();
      client.rest();
    }
    assertThat(server.get("/metrics").body()).contains("hourstone_uids{kind=\"tagv\"} 2.0");
    store.hangs = true;
    assertThat(server.get("/metrics").body())
        .contains("hourstone_uids{kind=\"tagv\"} 2.0", "hourstone_store_figures_age_seconds");
  }

  /** What the client of a store knows by itself is most interesting when the store hangs. */
  @Test
  void figuresOfTheClientAreThereWhileTheStoreHangs() throws IOException {
    Served server = start(TsdbOptions.defaults());
    store.hangs = true;
    assertThat(server.get("/metrics").body()).contains("hourstone_client_waits_total 3");
  }

  /** The time passes by itself here: what happens then is tested with the watch. */
  @Test
  void aStoreThatFailsMakesTheServerNotReadyAndLeavesATrace() throws IOException {
    Served server = start(TsdbOptions.defaults().with(Settings.HEAD, "false"));
    String point = "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"b\"}}";
    assertThat(server.post("/api/put", point).status()).isEqualTo(204);
    assertThat(server.get("/readyz").body()).isEqualTo("ok\n");
    store.fails = true;
    assertThat(server.post("/api/put", point.replace("00,", "01,")).status()).isEqualTo(503);

    assertThat(server.get("/healthz").status()).isEqualTo(200);
    assertThat(server.get("/readyz").status()).isEqualTo(503);
    assertThat(server.get("/readyz").body())
        .matches("the store has not answered for \\d+ s: .* table tsdb.*: connection refused\n");
    assertThat(server.get("/logs").body())
        .contains("the store fails: writes to table tsdb: connection refused")
        .contains("refused (hbase_errors): Storage exception: connection refused");
    assertThat(server.get("/metrics").body())
        .contains(
            "hourstone_refused_total{reason=\"hbase_errors\"} 1.0",
            "hourstone_points_refused_total 1.0")
        .contains("hourstone_store_errors_total{operation=\"write\"}");

    store.fails = false;
    assertThat(server.post("/api/put", point.replace("00,", "02,")).status()).isEqualTo(204);
    while (server.get("/readyz").status() != 200) { // until all that failed has been tried again
      Thread.onSpinWait();
    }
  }
}
