package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a daemon acknowledged is stored, however its process ends while clients go on sending. */
class StoppedDaemonTest {
  /** How often a daemon is ended in each way; more on demand. */
  private static final int ROUNDS = Integer.getInteger("stopped.rounds", 5);

  private static final long START = 1_500_000_000L;

  @TempDir Path directory;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private int points;

  /** A daemon in a process of its own. */
  private record Daemon(Process process, InetSocketAddress address) {
    static Daemon start(String store) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "org.hourstone.tsd.Main",
                  "--store",
                  store,
                  "tsd",
                  "--port=0",
                  "--auto-metric")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String serving =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
      int port = Integer.parseInt(serving.substring(serving.lastIndexOf(':') + 1));
      return new Daemon(process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    int awaitEnd() throws InterruptedException {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process has ended").isTrue();
      return process.exitValue();
    }
  }

  private String line() {
    return "put m " + (START + points++) + " 1 h=a\n";
  }

  /** Sends until the server closes the connection. */
  private Thread sending(Client client) {
    Thread sender =
        new Thread(
            () -> {
              try {
                for (long i = 0; ; i++) {
                  client.send("put other " + (START + i) + " 1 h=a\n");
                }
              } catch (IOException closed) {
                // as it must be in the end
              }
            });
    sender.start();
    return sender;
  }

  private void checkPoints(String store, String when) {
    long[] found = {0};
    try (Tsdb db = Tsdb.open(store);
        SeriesCursor series = db.query(Query.parse("none:m"))) {
      series.forEach(one -> found[0] += one.size());
    }
    assertThat(found[0]).as("points, seed %d, %s", seed, when).isEqualTo(points);
  }

  @Test
  @Timeout(30 * 60)
  void linesThatWereExecutedAreStoredAfterTheSignalToEnd() throws Exception {
    String store = "rocksdb:" + directory.resolve("terminated");
    for (int round = 1; round <= ROUNDS; round++) {
      Daemon daemon = Daemon.start(store);
      try (Client client = new Client(daemon.address());
          Client other = new Client(daemon.address())) {
        Thread sender = sending(other);
        for (int i = random.nextInt(2_000); i >= 0; i--) {
          client.send(line());
        }
        client.send("version\n");
        client.line(); // all lines before it have been executed

        daemon.process().destroy();

        assertThat(daemon.awaitEnd()).isZero();
        sender.join();
      } finally {
        daemon.process().destroyForcibly();
      }
      checkPoints(store, "round " + round);
    }
  }

  @Test
  @Timeout(30 * 60)
  void pointsThatWereAcknowledgedByHttpSurviveAKill() throws Exception {
    String store = "rocksdb:" + directory.resolve("killed");
    for (int round = 1; round <= ROUNDS; round++) {
      Daemon daemon = Daemon.start(store);
      try (Client client = new Client(daemon.address());
          Client other = new Client(daemon.address())) {
        Thread sender = sending(other);
        for (int i = random.nextInt(100); i >= 0; i--) {
          String point =
              "{\"metric\":\"m\",\"timestamp\":%d,\"value\":1,\"tags\":{\"h\":\"a\"}}"
                  .formatted(START + points);
          client.sendRequest("POST", "/api/put", "", point.getBytes(UTF_8));
          assertThat(client.response().status()).isEqualTo(204);
          points++;
        }

        daemon.process().destroyForcibly();

        daemon.awaitEnd();
        sender.join();
      }
      checkPoints(store, "round " + round);
    }
  }
}
