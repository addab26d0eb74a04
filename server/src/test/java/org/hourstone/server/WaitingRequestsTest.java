package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.server.Client.Response;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that wait for each other, more than there are threads, keep no others waiting: here all
 * of a kind wait for one that gets no answer from the store.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WaitingRequestsTest {
  private static final ManualClock CLOCK = new ManualClock(Instant.ofEpochSecond(1_500_000_000));
  private static final int THREADS = 4;
  private static final int WAITING = 20;
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";

  /** It doesn't return the row with a given key. */
  private static final class PartlyHungStore extends ForwardingStore {
    private final CountDownLatch back = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile byte[] hung = {};

    PartlyHungStore() {
      super(new ModelStore(CLOCK));
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      hang(row);
      return super.get(family, row, columns);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      rows.forEach(this::hang);
      return super.get(family, rows, columns);
    }

    private void hang(byte[] row) {
      if (hung.length > 0 && Arrays.equals(row, hung)) {
        asked.countDown();
        try {
          back.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
        }
      }
    }
  }

  private final PartlyHungStore store = new PartlyHungStore();
  private final List<Client> clients = new ArrayList<>();
  private Served served;

  @BeforeEach
  void start() throws IOException {
    Tsdb db =
        Tsdb.over(
            store,
            TsdbOptions.defaults().withClock(CLOCK).with(Settings.AUTO_CREATE_METRICS, "true"));
    ServerOptions options =
        new ServerOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            1_000,
            new ServerOptions.Bodies(8 << 20, 256L << 20),
            4096,
            new ServerOptions.Requests(THREADS, WAITING),
            new ServerOptions.Patience(Duration.ofSeconds(60), Duration.ofSeconds(60)));
    served = new Served(db, Server.start(db, Build.of("1.2.3"), options, Plotter.none()));
    assertThat(served.post("/api/put", POINT).status()).isEqualTo(204);
  }

  @AfterEach
  void close() throws IOException {
    store.back.countDown();
    for (Client client : clients) {
      client.close();
    }
    served.close();
    store.close();
  }

  private void send(int times, String method, String uri, String headers, byte[] body)
      throws IOException {
    for (int i = 0; i < times; i++) {
      Client client = served.connect();
      clients.add(client);
      client.sendRequest(method, uri, headers, body);
    }
  }

  private void assertOthersAreServed() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertThat(served.post("/api/put", POINT).status()).isEqualTo(204);
      assertThat(served.get("/api/query?start=1400000000&m=sum:m").body()).contains("1500000000");
    }
    assertThat(served.post("/api/uid/assign", "{\"tagv\":[\"b\"]}").body()).contains("\"tagv\"");
  }

  private long counted(String type) throws IOException {
    for (String line : served.get("/stats").body().split("\n")) {
      if (line.startsWith("tsd.connectionmgr.limited ") && line.endsWith(" type=" + type)) {
        return Long.parseLong(line.split(" ")[2]);
      }
    }
    throw new AssertionError(type);
  }

  private void awaitCount(String type, long least) throws IOException {
    while (counted(type) < least) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/annotation?start_time=1499997600, 000000596825A0",
    "/api/v1/annotation?start_time=1499997600, 000000596825A0",
    "/api/tree/rule?treeid=1&level=0&order=0, 0001",
    "/api/uid/uidmeta?uid=000001&type=metric, 000001",
    "/api/uid/tsmeta?tsuid=000001000001000001, 000001000001000001"
  })
  void requestsForStoredTexts(String uri, String row) throws IOException {
    store.hung = HexFormat.of().parseHex(row);
    send(WAITING, "GET", uri, "", new byte[0]);
    assertThat(await(store.asked)).isTrue();

    assertOthersAreServed();
    awaitCount("turn", 1);

    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.server")) {
      send(WAITING, "GET", uri, "", new byte[0]);
      awaitCount("thread", 1);
      assertThat(log.messages())
          .anyMatch(line -> line.contains("refused: too many wait for a thread"));
    }
    assertOthersAreServed();

    store.back.countDown();
    int refused = 0;
    for (Client client : clients) {
      Response response = client.response();
      if (response.status() == 503) {
        refused++;
        assertThat(response.headers()).containsEntry("retry-after", "1");
        assertThat(response.body()).contains("too many requests wait; try again in a second");
      } else {
        assertThat(response.status()).isIn(200, 404);
      }
    }
    assertThat(refused).isBetween(1, WAITING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blocksOfLargePuts(boolean compressed) throws IOException {
    store.hung = "large".getBytes(UTF_8);
    byte[] body =
        ("[" + (POINT.replace("\"m\"", "\"large\"") + ",").repeat(20_000) + POINT + "]")
            .getBytes(UTF_8);
    assertThat(body.length).isGreaterThan(ApiUpload.WHOLE_BYTES);
    send(
        WAITING,
        "POST",
        "/api/put",
        compressed ? "Content-Encoding: gzip\r\n" : "",
        compressed ? gzip(body) : body);
    assertThat(await(store.asked)).isTrue();

    assertOthersAreServed();
    if (compressed) {
      byte[] small = gzip(POINT.getBytes(UTF_8));
      try (Client client = served.connect()) {
        client.sendRequest("POST", "/api/put", "Content-Encoding: gzip\r\n", small);
        assertThat(client.response().status()).isEqualTo(204);
      }
    } else {
      awaitCount("turn", 1);
    }

    store.back.countDown();
    for (Client client : clients) {
      assertThat(client.response().status()).isEqualTo(204);
    }
  }

  @Test
  void waitsForRoomAreCounted() throws IOException {
    assertThat(served.get("/stats").body())
        .contains("tsd.rpc.waits ", "type=text", "type=large_put");
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }
}
