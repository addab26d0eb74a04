package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.hourstone.Tsdb;
import org.hourstone.server.Client;
import org.hourstone.tsd.TroubledClient.History;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A daemon whose disk is full, whose descriptors are used up or whose file system fails, for a
 * while: it writes again afterwards without a restart, and what it acknowledged is stored.
 */
class DiskAccidentsTest {
  /** How many accidents; more on demand. */
  private static final int ROUNDS = Integer.getInteger("rocksdb.accidents.rounds", 5);

  /** After this number of accidents the daemon ends, and the points are compared. */
  private static final int ROUNDS_PER_DAEMON = 10;

  private static final int CLIENTS = 3;
  private static final String QUERY = "/api/query?start=1400000000&end=1400003600&m=sum:m";
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path directory;

  private final long seed = Long.getLong("rocksdb.accidents.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final List<History> histories = new ArrayList<>();
  private final List<TroubledClient> clients = new ArrayList<>();
  private int accidents;
  private long longestReturn;

  /** The library, or null if there is no compiler. */
  private @Nullable Path library() throws IOException, InterruptedException {
    Path source = directory.resolve("accidents.c");
    try (InputStream in = DiskAccidentsTest.class.getResourceAsStream("accidents.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    Path library = directory.resolve("accidents.so");
    try {
      Process gcc =
          new ProcessBuilder(
                  "gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
              .inheritIO()
              .start();
      return gcc.waitFor() == 0 ? library : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Test
  @Timeout(4 * 3600)
  void writesGoOnAfterEachAccidentAndNothingAcknowledgedIsLost() throws Exception {
    Path plan = directory.resolve("plan");
    Path library = library();
    assumeTrue(library != null, "SKIPPED, there is no gcc");
    DaemonProcess.Launch launch =
        new DaemonProcess.Launch(
            "256m",
            Map.of("LD_PRELOAD", String.valueOf(library), "ACCIDENTS", plan.toString()),
            List.of("--set", "hourstone.head.journal_bytes=1000000"),
            ProcessBuilder.Redirect.INHERIT);
    Accident.NONE.begin(plan);
    for (int client = 0; client < CLIENTS; client++) {
      histories.add(new History());
    }
    String store = "rocksdb:" + directory.resolve("store") + "?memory=8m";
    for (int round = 0; round < ROUNDS; ) {
      DaemonProcess daemon = DaemonProcess.start(store + "&sync=" + random.nextBoolean(), launch);
      try {
        List<Thread> threads = startClients(daemon);
        awaitWrites("the start before " + text(round + 1));
        for (int i = 0; i < ROUNDS_PER_DAEMON && round < ROUNDS; i++) {
          round++;
          playRound(daemon, plan, round);
        }
        end(daemon, threads);
      } finally {
        daemon.process().destroyForcibly();
      }
      try (Tsdb db = Tsdb.open(store)) {
        for (int client = 0; client < CLIENTS; client++) {
          TroubledClient.check(db, client, histories.get(client), text(round));
        }
      }
    }
    System.out.printf(
        "%d rounds, seed %d: %d operations failed, %d points acknowledged, %d requests refused;"
            + " writes were back within %d ms; the longest request took %d ms%n",
        ROUNDS,
        seed,
        accidents,
        histories.stream().mapToInt(History::acknowledged).sum(),
        histories.stream().mapToInt(History::refused).sum(),
        TimeUnit.NANOSECONDS.toMillis(longestReturn),
        TimeUnit.NANOSECONDS.toMillis(
            histories.stream().mapToLong(History::longestNanos).max().orElse(0)));
  }

  private List<Thread> startClients(DaemonProcess daemon) {
    clients.clear();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < CLIENTS; number++) {
      TroubledClient client = new TroubledClient(number, daemon.address(), histories.get(number));
      clients.add(client);
      threads.add(new Thread(client));
    }
    threads.forEach(Thread::start);
    return threads;
  }

  private void playRound(DaemonProcess daemon, Path plan, int round) throws IOException {
    int refusedBefore = refused();
    Accident accident = Accident.any(random);
    accident.begin(plan);
    long begin = System.nanoTime();
    awaitOr(() -> refused() > refusedBefore, begin + TimeUnit.SECONDS.toNanos(2));
    awaitOr(() -> false, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
    if (accident.leavesReads()) {
      Client.Response response = Client.request(daemon.address(), "GET", QUERY, "");
      assertThat(response.status())
          .as("query during %s, %s: %s", accident, text(round), response.body())
          .isEqualTo(200);
    }
    int failed = Accident.end(plan);
    accidents += failed;
    long lifted = System.nanoTime();
    awaitWrites(accident + ", " + text(round));
    long back = System.nanoTime() - lifted;
    longestReturn = Math.max(longestReturn, back);
    System.out.printf(
        "%s: %s: %d operations failed, back after %d ms%n",
        text(round), accident, failed, TimeUnit.NANOSECONDS.toMillis(back));
  }

  /** Waits until points are acknowledged that each client sends from now on. */
  private void awaitWrites(String after) {
    long until = System.nanoTime() + MOST_NANOS;
    int[] next = histories.stream().mapToInt(History::next).toArray();
    for (int client = 0; client < CLIENTS; client++) {
      History history = histories.get(client);
      int first = next[client];
      boolean isBack = awaitOr(() -> history.lastAcknowledged() >= first, until);
      assertThat(clients.get(client).failure()).as("after %s", after).isNull();
      assertThat(isBack).as("writes go on after %s", after).isTrue();
    }
  }

  private int refused() {
    return histories.stream().mapToInt(History::refused).sum();
  }

  /** Whether something is so before a time. */
  private boolean awaitOr(BooleanSupplier condition, long until) {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - until > 0
          || clients.stream().anyMatch(client -> client.failure() != null)) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return true;
  }

  private void end(DaemonProcess daemon, List<Thread> threads) throws InterruptedException {
    boolean isKilled = random.nextBoolean();
    clients.forEach(TroubledClient::stop);
    if (isKilled) {
      daemon.process().destroyForcibly();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    daemon.process().destroy();
    int status = daemon.awaitEnd();
    if (!isKilled) {
      assertThat(status).as("exit status").isZero();
    }
  }

  private String text(int round) {
    return "round " + round + ", seed " + seed;
  }
}
