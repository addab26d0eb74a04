package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.server.Client;
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

  private static final String QUERY = "/api/query?start=1400000000&end=1400003600&m=sum:m";

  @TempDir Path directory;

  private final long seed = Long.getLong("rocksdb.accidents.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final TroubledClients clients = new TroubledClients();
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
    String store = "rocksdb:" + directory.resolve("store") + "?memory=8m";
    for (int round = 0; round < ROUNDS; ) {
      DaemonProcess daemon = DaemonProcess.start(store + "&sync=" + random.nextBoolean(), launch);
      try {
        clients.start(daemon);
        clients.awaitWrites("the start before " + text(round + 1));
        for (int i = 0; i < ROUNDS_PER_DAEMON && round < ROUNDS; i++) {
          round++;
          playRound(daemon, plan, round);
        }
        clients.end(daemon, random.nextBoolean());
      } finally {
        daemon.process().destroyForcibly();
      }
      try (Tsdb db = Tsdb.open(store)) {
        clients.check(db, text(round));
      }
    }
    System.out.printf(
        "%d rounds, seed %d: %d operations failed, %d points acknowledged, %d requests refused;"
            + " writes were back within %d ms; the longest request took %d ms%n",
        ROUNDS,
        seed,
        accidents,
        clients.acknowledged(),
        clients.refused(),
        TimeUnit.NANOSECONDS.toMillis(longestReturn),
        TimeUnit.NANOSECONDS.toMillis(clients.longestNanos()));
  }

  private void playRound(DaemonProcess daemon, Path plan, int round) throws IOException {
    int refusedBefore = clients.refused();
    Accident accident = Accident.any(random);
    accident.begin(plan);
    long begin = System.nanoTime();
    clients.awaitOr(() -> clients.refused() > refusedBefore, begin + TimeUnit.SECONDS.toNanos(2));
    clients.awaitOr(
        () -> false, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
    if (accident.leavesReads()) {
      Client.Response response = Client.request(daemon.address(), "GET", QUERY, "");
      assertThat(response.status())
          .as("query during %s, %s: %s", accident, text(round), response.body())
          .isEqualTo(200);
    }
    int failed = Accident.end(plan);
    accidents += failed;
    long lifted = System.nanoTime();
    clients.awaitWrites(accident + ", " + text(round));
    long back = System.nanoTime() - lifted;
    longestReturn = Math.max(longestReturn, back);
    System.out.printf(
        "%s: %s: %d operations failed, back after %d ms%n",
        text(round), accident, failed, TimeUnit.NANOSECONDS.toMillis(back));
  }

  private String text(int round) {
    return "round " + round + ", seed " + seed;
  }
}
