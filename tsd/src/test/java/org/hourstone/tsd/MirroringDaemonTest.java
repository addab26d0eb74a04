package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Client;
import org.hourstone.server.Server;
import org.hourstone.server.ServerOptions;
import org.hourstone.uid.NoSuchNameException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a daemon acknowledged gets to the other server, too, however often it is killed. */
class MirroringDaemonTest {
  private static final int ROUNDS = Integer.getInteger("mirror.rounds", 3);
  private static final long START = 1_500_000_000L;

  @TempDir Path directory;

  private final long seed = Long.getLong("mirror.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Set<Long> acknowledged = new HashSet<>();
  private long next = START;

  private static InetSocketAddress freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  private DaemonProcess.Launch mirroring(InetSocketAddress other) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hourstone.mirror", "http://127.0.0.1:" + other.getPort());
    settings.put("hourstone.mirror.directory", directory.resolve("queue").toString());
    return DaemonProcess.Launch.of(DaemonProcess.Launch.settings(settings));
  }

  /** Puts points until the daemon is gone; remembers those that were acknowledged. */
  private Thread putting(DaemonProcess to, Semaphore acknowledgements) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  int points = 1 + random.nextInt(50);
                  if (Client.request(to.address(), "POST", "/api/put?sync", body(points)).status()
                      == 204) {
                    for (int i = 0; i < points; i++) {
                      acknowledged.add(next + i);
                    }
                    acknowledgements.release();
                  }
                  next += points;
                }
              } catch (IOException killed) {
                next += 50; // it may have the last ones, or not
              }
            });
    thread.start();
    return thread;
  }

  private String body(int points) {
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < points; i++) {
      body.append(i == 0 ? "" : ",")
          .append("{\"metric\":\"m\",\"timestamp\":")
          .append(next + i)
          .append(",\"value\":1,\"tags\":{\"h\":\"a\"}}");
    }
    return body.append(']').toString();
  }

  private static Set<Long> seconds(Tsdb db) {
    Set<Long> found = new HashSet<>();
    try (SeriesCursor series = db.query(Query.parse("none:m"))) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              found.add(one.millis(i) / 1000);
            }
          });
    } catch (NoSuchNameException e) {
      return found; // nothing was sent yet
    }
    return found;
  }

  private static void awaitAll(Set<Long> wanted, Tsdb in, String when) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    Set<Long> missing = new HashSet<>(wanted);
    while (!missing.isEmpty()) {
      assertThat(System.nanoTime()).as("%s: %d missing", when, missing.size()).isLessThan(until);
      missing.removeAll(seconds(in));
    }
  }

  private static Server serve(Tsdb db, InetSocketAddress address) throws IOException {
    ServerOptions usual = ServerOptions.of(TsdbOptions.defaults());
    return Server.start(
        db,
        Build.of("1"),
        new ServerOptions(
            address,
            usual.maxConnections(),
            usual.bodies(),
            usual.maxLine(),
            usual.requests(),
            usual.patience()),
        Plotter.none());
  }

  /** In some rounds the other server is away. */
  @Test
  @Timeout(30 * 60)
  void acknowledgedPointsAreSentAfterAKill() throws Exception {
    InetSocketAddress other = freeAddress();
    String store = "rocksdb:" + directory.resolve("store");
    try (Tsdb db =
        Tsdb.open("memory:", TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"))) {
      for (int round = 1; round <= ROUNDS; round++) {
        Server server = round % 2 == 0 ? serve(db, other) : null;
        try (DaemonProcess daemon = DaemonProcess.start(store, mirroring(other))) {
          Semaphore acknowledgements = new Semaphore(0);
          Thread thread = putting(daemon, acknowledgements);
          acknowledgements.acquire(1 + random.nextInt(100));
          daemon.process().destroyForcibly();
          daemon.awaitEnd();
          thread.join();
        } finally {
          if (server != null) {
            server.close();
          }
        }
      }
      try (Server server = serve(db, other);
          DaemonProcess daemon = DaemonProcess.start(store, mirroring(other))) {
        awaitAll(acknowledged, db, "seed " + seed + " at " + server.address());
        daemon.process().destroy();
        assertThat(daemon.awaitEnd()).isZero();
      }
      try (Tsdb first = Tsdb.open(store)) {
        assertThat(seconds(first)).as("seed %d", seed).containsAll(acknowledged);
        assertThat(acknowledged).isNotEmpty();
      }
    }
  }

  /** A strict database records nothing in a store but OpenTSDB's tables. */
  @Test
  void theQueueOfAnotherStoreIsRefusedAlsoInStrictMode() throws Exception {
    TsdbOptions options =
        TsdbOptions.openTsdbDefaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(DaemonSettings.PORT, "0")
            .with(DaemonSettings.MIRROR, "http://127.0.0.1:" + freeAddress().getPort())
            .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString());
    String store = "rocksdb:" + directory.resolve("store");
    try (Tsdb db = Tsdb.open(store, options);
        Server server = Server.start(db)) {
      assertThat(server.address().getPort()).isPositive();
      db.put("m", Instant.ofEpochSecond(START), 1, Tags.of("h", "a")).join();
    }
    try (Tsdb other = Tsdb.open("rocksdb:" + directory.resolve("other"), options)) {
      assertThatThrownBy(() -> Server.start(other).close())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("points of another store");
    }
    try (Tsdb again = Tsdb.open(store, options);
        Server server = Server.start(again)) {
      assertThat(Client.request(server.address(), "GET", "/api/stats", "").body())
          .contains("tsd.mirror.queue.bytes");
    }
  }

  @Test
  void badSettingsEndTheDaemonBeforeItServes() {
    List<String> settings =
        List.of("--set", "hourstone.mirror=http://a:1", "--store", "memory:", "tsd", "--port=0");

    CommandRun run = CommandRun.of(settings.toArray(String[]::new));

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains("hourstone.mirror needs a directory for its queue");
  }
}
