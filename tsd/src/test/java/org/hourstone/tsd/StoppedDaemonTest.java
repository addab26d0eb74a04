package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.server.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a daemon acknowledged is stored, however its process ends while clients go on sending. */
class StoppedDaemonTest {
  /** How often a daemon is ended in each way; more on demand. */
  private static final int ROUNDS = Integer.getInteger("stopped.rounds", 5);

  private static final int CLIENTS = 4;

  private static final long START = 1_500_000_000L;

  @TempDir Path directory;

  private final long seed = Long.getLong("stopped.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private int points;

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
      DaemonProcess daemon = DaemonProcess.start(store, DaemonProcess.Launch.of(List.of()));
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

  /** Settings of how points are buffered and acknowledged, which may change at every start. */
  private List<String> randomSettings() {
    List<String> settings = new ArrayList<>();
    settings.add("hourstone.write.threads=" + oneOf(1, 2, 3, 7));
    if (random.nextInt(5) < 3) {
      settings.add("hourstone.head.bytes=" + oneOf(1, 2_000, 20_000, 200_000, 1_000_000));
    }
    if (random.nextInt(5) < 3) {
      settings.add("hourstone.head.journal_bytes=" + oneOf(1, 1_000, 10_000, 100_000, 1_000_000));
    }
    if (random.nextInt(3) == 0) {
      settings.add("hourstone.write.batch_points=" + oneOf(1, 7, 100));
    }
    if (random.nextInt(5) == 0) {
      settings.add("hourstone.write.queue_points=" + oneOf(1, 10, 1_000));
    }
    switch (random.nextInt(10)) {
      case 0 -> settings.add("hourstone.head=false");
      case 1 -> settings.add("tsd.storage.enable_appends=true");
      case 2 -> settings.add("hourstone.write.flush_interval_seconds=1");
      case 3 -> settings.add("tsd.storage.enable_compaction=false");
      default -> {}
    }
    return settings.stream().flatMap(setting -> Stream.of("--set", setting)).toList();
  }

  private int oneOf(int... values) {
    return values[random.nextInt(values.length)];
  }

  /** Some daemons are killed while they start, and take the journal over. */
  private void killWhileItStarts(String store, DaemonProcess.Launch launch) throws Exception {
    Process process = DaemonProcess.begin(store, launch);
    try {
      process.waitFor(random.nextInt(2_500), TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
  }

  /** A daemon takes the journal of the one before over in every second round. */
  @Test
  @Timeout(60 * 60)
  void pointsThatWereAcknowledgedByHttpSurviveAKill() throws Exception {
    String store = "rocksdb:" + directory.resolve("killed");
    List<PutClient> clients =
        IntStream.range(0, CLIENTS).mapToObj(number -> new PutClient(number, seed)).toList();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        kill(store, clients, threads);
        System.out.println("seed " + seed + ": killed " + round + " times");
        if (round % 2 == 0 || round == ROUNDS) {
          try (Tsdb db = Tsdb.open(store)) {
            for (PutClient client : clients) {
              client.check(db, "seed " + seed + ", round " + round);
            }
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(clients).allSatisfy(client -> assertThat(client.acknowledged()).isPositive());
  }

  /** Clients put points, and others by telnet, when the daemon is killed. */
  private void kill(String store, List<PutClient> clients, ExecutorService threads)
      throws Exception {
    Semaphore acknowledgements = new Semaphore(0);
    DaemonProcess.Launch launch = DaemonProcess.Launch.of(randomSettings());
    if (random.nextInt(4) == 0) {
      killWhileItStarts(store, launch);
    }
    DaemonProcess daemon = DaemonProcess.start(store, launch);
    try (Client other = new Client(daemon.address())) {
      Thread sender = sending(other);
      List<Future<Void>> putting = new ArrayList<>();
      for (PutClient client : clients) {
        putting.add(threads.submit(client.putting(daemon.address(), acknowledgements)));
      }
      acknowledgements.acquire(1 + random.nextInt(400));

      daemon.process().destroyForcibly();

      daemon.awaitEnd();
      sender.join();
      for (Future<Void> each : putting) {
        each.get();
      }
    } finally {
      daemon.process().destroyForcibly();
    }
  }
}
