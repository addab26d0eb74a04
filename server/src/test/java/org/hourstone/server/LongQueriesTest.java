package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long queries, more than there are threads, keep no short one waiting until they end. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LongQueriesTest {
  private static final int THREADS = 2;

  /** More than may be served at once, fewer than may wait. */
  private static final int QUERIES = 3 * THREADS;

  private static final int HOURS = 100;

  /** Takes minutes beside others: none may end while the test looks at them. */
  private static final String LONG =
      IntStream.range(0, 12_000)
          .mapToObj(i -> "{\"aggregator\":\"dev\",\"metric\":\"m\",\"downsample\":\"0all-p99\"}")
          .collect(Collectors.joining(",", "{\"start\":1500000000,\"queries\":[", "]}"));

  private static Served served() throws IOException {
    return Served.start(
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(QuerySettings.QUERY_MAX_QUERIES, "0"),
        new ServerOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            1_000,
            new ServerOptions.Bodies(8 << 20, 256L << 20),
            4096,
            new ServerOptions.Requests(THREADS, 4 * QUERIES),
            new ServerOptions.Patience(Duration.ofSeconds(60), Duration.ofSeconds(60))));
  }

  private static String points(int hour) {
    return IntStream.range(600 * hour, 600 * (hour + 1))
        .mapToObj(
            i ->
                "{\"metric\":\"m\",\"timestamp\":"
                    + (1_500_000_000 + 6 * i)
                    + ",\"value\":1,\"tags\":{\"h\":\"a\"}}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static long running(Served served) throws IOException {
    String running = served.get("/api/stats/query").body();
    return running.split("p99", -1).length - 1L;
  }

  /** The list may lack a query at the moment at which it goes on after it has waited. */
  private static void awaitAllRunning(Served served) throws IOException {
    while (running(served) < QUERIES) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aShortQueryIsServedWhileLongOnesWaitForTheirTurn() throws IOException {
    List<Client> clients = new ArrayList<>();
    try (Served served = served()) {
      for (int hour = 0; hour < HOURS; hour++) {
        assertThat(served.post("/api/put", points(hour)).status()).isEqualTo(204);
      }
      for (int i = 0; i < QUERIES; i++) {
        Client client = served.connect();
        clients.add(client);
        client.sendRequest("POST", "/api/query", "", LONG.getBytes(StandardCharsets.UTF_8));
      }
      awaitAllRunning(served); // the first ones wait for their turn

      assertThat(served.get("/api/query?start=1500000000&end=1500000005&m=sum:m").body())
          .contains("\"1500000000\":1");
      awaitAllRunning(served); // else one has ended, and this would never be
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }
}
