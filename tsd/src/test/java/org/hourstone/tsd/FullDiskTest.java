package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.server.Client;
import org.hourstone.testing.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A daemon whose disk fills up and gets room again, at random moments: new points are refused
 * before RocksDB meets a full disk, unless something else fills it to the last byte; reads go on;
 * writes come back by themselves; what was acknowledged is stored.
 */
class FullDiskTest {
  /** How often it fills up; more on demand. */
  private static final int ROUNDS = Integer.getInteger("disk.rounds", 10);

  /**
   * Writes are back within 10 s after there is room, usually within a second. In a build the
   * machine may do something else for as long.
   */
  private static final long BACK_NANOS =
      TimeUnit.SECONDS.toNanos(Integer.getInteger("disk.rounds") == null ? 60 : 10);

  private static final int RESERVE = 32 << 20;
  private static final int PIECE = 64 << 10;
  private static final String QUERY = "/api/query?start=1400000000&end=1400003600&m=sum:m";

  @TempDir Path directory;

  private final long seed = Long.getLong("disk.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final TroubledClients clients = new TroubledClients();
  private long longestReturn;

  @Test
  @Timeout(3600)
  void pointsAreRefusedWhileTheDiskIsNearlyFullAndNothingAcknowledgedIsLost() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=384m")) {
      String store = "rocksdb:" + disk.directory().resolve("store") + "?memory=8m";
      DaemonProcess.Launch launch =
          DaemonProcess.Launch.of(
              List.of(
                  "--set",
                  "hourstone.disk.reserve=" + RESERVE,
                  "--set",
                  "hourstone.head.journal_bytes=1000000"));
      try (DaemonProcess daemon = DaemonProcess.start(store, launch)) {
        clients.start(daemon);
        clients.awaitWrites("the start");
        for (int round = 1; round <= ROUNDS; round++) {
          playRound(daemon, disk.directory().resolve("ballast"), text(round), round % 3 == 0);
        }
        clients.end(daemon, random.nextBoolean());
      }
      try (Tsdb db = Tsdb.open(store)) {
        clients.check(db, text(ROUNDS));
      }
    }
    System.out.printf(
        "%d rounds, seed %d: %d points acknowledged, %d requests refused; writes were back within"
            + " %d ms; the longest request took %d ms%n",
        ROUNDS,
        seed,
        clients.acknowledged(),
        clients.refused(),
        TimeUnit.NANOSECONDS.toMillis(longestReturn),
        TimeUnit.NANOSECONDS.toMillis(clients.longestNanos()));
  }

  private void playRound(DaemonProcess daemon, Path ballast, String round, boolean isFilled)
      throws IOException {
    pause(700);
    long faults = errors(daemon, "hbase_errors");
    long refusals = errors(daemon, "disk_reserve");
    fill(ballast, isFilled ? 0 : RESERVE - random.nextInt(RESERVE / 2));
    clients.awaitOr(
        () -> isFilled ? !isReady(daemon) : errors(daemon, "disk_reserve") > refusals,
        in(TimeUnit.SECONDS, 60));
    pause(1000);
    Client.Response read = Client.request(daemon.address(), "GET", QUERY, "");
    assertThat(read.status()).as("a query in %s: %s", round, read.body()).isEqualTo(200);
    Client.Response ready = Client.request(daemon.address(), "GET", "/readyz", "");
    assertThat(ready.status()).as("ready in %s: %s", round, ready.body()).isEqualTo(503);
    if (!isFilled) {
      assertThat(ready.body()).as("ready in %s", round).contains("the disk is nearly full");
      assertThat(errors(daemon, "disk_reserve")).as("refusals in %s", round).isPositive();
      assertThat(errors(daemon, "hbase_errors")).as("faults in %s", round).isEqualTo(faults);
    }
    Files.delete(ballast);
    long begin = System.nanoTime();
    clients.awaitWrites(round, BACK_NANOS);
    longestReturn = Math.max(longestReturn, System.nanoTime() - begin);
  }

  private void pause(int mostMillis) {
    clients.awaitOr(() -> false, in(TimeUnit.MILLISECONDS, random.nextInt(mostMillis)));
  }

  private static long in(TimeUnit unit, int time) {
    return System.nanoTime() + unit.toNanos(time);
  }

  /** Writes a file until so much is free. */
  private static void fill(Path ballast, long free) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (ballast.toFile().getUsableSpace() > free) {
        out.write(new byte[PIECE]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static boolean isReady(DaemonProcess daemon) {
    try {
      return Client.request(daemon.address(), "GET", "/readyz", "").status() == 200;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long errors(DaemonProcess daemon, String type) {
    try {
      String all = Client.request(daemon.address(), "GET", "/metrics", "").body();
      Matcher line =
          Pattern.compile("hourstone_refused_total\\{reason=\"" + type + "\"} (\\S+)").matcher(all);
      assertThat(line.find()).as("errors of type %s in %s", type, all).isTrue();
      return (long) Double.parseDouble(line.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text(int round) {
    return "round " + round + ", seed " + seed;
  }
}
