package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.server.Client;
import org.hourstone.tsd.DaemonProcess.Launch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups of a daemon while points arrive all the time, at random moments: each has all that was
 * acknowledged before it began, and nothing else than what was sent.
 */
class BackupUnderLoadTest {
  /** How many are made; more on demand. */
  private static final int BACKUPS = Integer.getInteger("backups", 3);

  /** Points a second. */
  private static final int RATE = Integer.getInteger("backups.rate", 10_000);

  /** The most tenths of a second between two backups. */
  private static final int MOST_TICKS = Integer.getInteger("backups.ticks", 10);

  @TempDir Path directory;

  private final long seed = Long.getLong("backups.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final ObjectMapper json = new ObjectMapper();
  private final StringBuilder measured = new StringBuilder();

  @Test
  @Timeout(3600)
  void eachHasWhatWasAcknowledgedBeforeItBegan() throws Exception {
    String store = "rocksdb:" + directory.resolve("store");
    Path backups = directory.resolve("backups");
    Map<String, String> settings =
        Map.of("hourstone.backup.directory", backups.toString(), "hourstone.disk.reserve", "0");
    try (DaemonProcess daemon = DaemonProcess.start(store, Launch.of(Launch.settings(settings)));
        TelnetLoad load = new TelnetLoad(daemon.address(), seed, RATE, 0)) {
      load.awaitAcknowledged(1);
      long begun = System.nanoTime();
      for (int number = 1; number <= BACKUPS; number++) {
        load.awaitTicks(1 + random.nextInt(MOST_TICKS));
        backUpAndRestore(daemon, load, backups, number);
      }
      load.end();
      long sent = load.begun() * TelnetLoad.SERIES;
      load.awaitAcknowledged(load.begun());
      System.out.printf(
          "%d backups, seed %d: %d points, %.0f a second%n%s",
          BACKUPS, seed, sent, sent / seconds(begun), measured);
      copyNothingTwice(daemon, backups);
    }
  }

  private void backUpAndRestore(DaemonProcess daemon, TelnetLoad load, Path backups, int number)
      throws Exception {
    String when = "backup " + number + ", seed " + seed;
    long least = load.acknowledged();
    long begun = System.nanoTime();
    JsonNode made = backUp(daemon);
    double took = seconds(begun);
    long most = load.begun();
    assertThat(made.path("generation").asInt()).as(when).isEqualTo(number);

    Path restored = directory.resolve("restored");
    begun = System.nanoTime();
    BackupDirectory.Generation generation = BackupDirectory.at(backups).restore(number, restored);
    double tookRestoring = seconds(begun);
    try (Tsdb db = Tsdb.open("rocksdb:" + restored)) {
      load.check(db, least, most, when);
    }
    delete(restored);
    measured.append(
        "%d: %d bytes, %d copied, %.2f s; restored in %.2f s; %d rounds acknowledged, %d begun%n"
            .formatted(
                number,
                generation.bytes(),
                made.path("bytesCopied").asLong(),
                took,
                tookRestoring,
                least,
                most));
  }

  private JsonNode backUp(DaemonProcess daemon) throws IOException {
    Client.Response made =
        Client.request(daemon.address(), "POST", "/api/admin/backup", "{\"keep\":2}");
    assertThat(made.status()).as(made.body()).isEqualTo(200);
    return json.readTree(made.body());
  }

  /** The second backup of a store that nothing changes, RocksDB's merging of files included. */
  private void copyNothingTwice(DaemonProcess daemon, Path backups) throws IOException {
    Ballast.add(daemon, random);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    Set<String> before = Set.of();
    while (true) {
      long begun = System.nanoTime();
      JsonNode made = backUp(daemon);
      double took = seconds(begun);
      Set<String> tables = tables(backups, made.path("generation").asLong());
      if (tables.equals(before)) {
        long copied = made.path("bytesCopied").asLong();
        long all = copied + made.path("bytesLinked").asLong();
        System.out.printf("unchanged: %d bytes, %d copied, %.2f s%n", all, copied, took);
        assertThat(copied).as("bytes copied of %d", all).isLessThan(all / 100);
        return;
      }
      assertThat(System.nanoTime() - deadline).as("RocksDB rests in time").isNegative();
      before = tables;
    }
  }

  private static Set<String> tables(Path backups, long generation) throws IOException {
    try (Stream<Path> files = Files.list(backups.resolve("%06d".formatted(generation)))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".sst"))
          .collect(Collectors.toSet());
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private static void delete(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
