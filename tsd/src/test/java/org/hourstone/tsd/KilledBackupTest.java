package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hourstone.Tsdb;
import org.hourstone.kv.rocksdb.BackupDirectory;
import org.hourstone.server.Client;
import org.hourstone.tsd.DaemonProcess.Launch;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a daemon that makes a backup while points arrive, and of a restoration, at
 * random moments: the earlier backups stay whole, and the same succeeds then.
 */
class KilledBackupTest {
  /** How often each is killed; more on demand. */
  private static final int KILLS = Integer.getInteger("backups.kills", 2);

  /** At most, if all before were too late. */
  private static final int MOST_KILLS = 10;

  private static final int RATE = Integer.getInteger("backups.rate", 10_000);

  @TempDir Path directory;

  private final long seed = Long.getLong("backups.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private String store;
  private Path backups;
  private BackupDirectory known;

  @BeforeEach
  void name() {
    store = "rocksdb:" + directory.resolve("store");
    backups = directory.resolve("backups");
    known = BackupDirectory.at(backups);
  }

  private DaemonProcess start() throws IOException {
    return DaemonProcess.start(
        store,
        Launch.of(
            Launch.settings(
                Map.of(
                    "hourstone.backup.directory",
                    backups.toString(),
                    "hourstone.disk.reserve",
                    "0"))));
  }

  private static JsonNode backUp(DaemonProcess daemon, String body, int status) throws IOException {
    Client.Response made = Client.request(daemon.address(), "POST", "/api/admin/backup", body);
    assertThat(made.status()).as(made.body()).isEqualTo(status);
    return new ObjectMapper().readTree(made.body());
  }

  @Test
  @Timeout(3600)
  void aBackupThatIsKilledLeavesTheEarlierOnes() throws Exception {
    DaemonProcess daemon = start();
    TelnetLoad load = new TelnetLoad(daemon.address(), seed, RATE, 0);
    try {
      load.awaitAcknowledged(1);
      Ballast.add(daemon, random);
      JsonNode last = backUp(daemon, "", 200);
      int interrupted = 0;
      for (int kill = 1; kill <= KILLS || (interrupted == 0 && kill <= MOST_KILLS); kill++) {
        String when = "kill " + kill + ", seed " + seed;
        long next = last.path("generation").asLong() + 1;
        load.awaitTicks(1 + random.nextInt(5));
        long before = load.acknowledged();
        killBackup(daemon, next, 1 + random.nextInt(last.path("files").asInt() / 2));
        load.close();
        long begun = load.begun();
        List<Long> numbers = known.numbers();
        interrupted += numbers.contains(next) ? 0 : 1;
        for (long number : numbers) {
          assertThat(known.verify(number)).as(when).isEmpty();
        }

        daemon = start();
        load = new TelnetLoad(daemon.address(), seed, RATE, before);
        load.awaitTicks(1);
        long least = load.acknowledged();
        last = backUp(daemon, "{\"keep\":3}", 200);
        assertThat(known.others()).as(when).isEmpty();
        assertThat(backups.toFile().list()).as(when).noneMatch(name -> name.endsWith(".tmp"));
        check(load, least, Math.max(begun, load.begun()), when);
      }
      System.out.printf("%d of %d backups interrupted, seed %d%n", interrupted, KILLS, seed);
      assertThat(interrupted).as("backups that had not ended, seed %d", seed).isPositive();
    } finally {
      load.close();
      daemon.close();
    }
  }

  /** Kills a daemon when its backup has created some files. */
  private void killBackup(DaemonProcess daemon, long number, int files) throws Exception {
    try (CreatedFiles created = new CreatedFiles(backups)) {
      backUp(daemon, "{\"wait\":false}", 202);
      created.await(files, () -> known.numbers().contains(number));
      daemon.process().destroyForcibly().waitFor();
    }
  }

  private void check(TelnetLoad load, long least, long most, String when) throws Exception {
    List<Long> numbers = known.numbers();
    long newest = numbers.get(numbers.size() - 1);
    Path restored = directory.resolve("restored" + newest);
    known.restore(newest, restored);
    try (Tsdb db = Tsdb.open("rocksdb:" + restored)) {
      load.check(db, least, most, when);
    }
  }

  @Test
  @Timeout(3600)
  void aRestorationThatIsKilledIsRepeated() throws Exception {
    try (DaemonProcess daemon = start();
        TelnetLoad load = new TelnetLoad(daemon.address(), seed, RATE, 0)) {
      Ballast.add(daemon, random);
      load.end();
      long rounds = load.begun();
      load.awaitAcknowledged(rounds);
      int files = backUp(daemon, "", 200).path("files").asInt();

      int interrupted = 0;
      for (int kill = 1; kill <= KILLS || (interrupted == 0 && kill <= MOST_KILLS); kill++) {
        String when = "kill " + kill + ", seed " + seed;
        Path restored = Files.createDirectory(directory.resolve("restored" + kill));
        // Each is created in a directory, and then moved, which is soon done.
        killRestoration(restored, 1 + random.nextInt(kill == 1 ? files / 2 : 2 * files));
        if (!Files.exists(restored.resolve("CURRENT"))) {
          interrupted++;
          String[] query = {"--store", "rocksdb:" + restored, "query", "1h-ago", "sum:load"};
          assertThat(CommandRun.now(query).exitCode()).as(when).isEqualTo(ExitCode.FAILED);
          CommandRun again =
              CommandRun.now("restore", backups.toString(), "--to", "rocksdb:" + restored);
          assertThat(again.exitCode()).as(when + ": " + again.err()).isZero();
          assertThat(restored.resolve("hourstone-restore.tmp")).as(when).doesNotExist();
        }
        try (Tsdb db = Tsdb.open("rocksdb:" + restored)) {
          load.check(db, rounds, rounds, when);
        }
      }
      System.out.printf("%d of %d restorations interrupted, seed %d%n", interrupted, KILLS, seed);
      assertThat(interrupted).as("restorations that had not ended, seed %d", seed).isPositive();
    }
  }

  private void killRestoration(Path restored, int files) throws Exception {
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "restore",
            backups.toString(),
            "--to",
            "rocksdb:" + restored);
    try (CreatedFiles created = new CreatedFiles(restored)) {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        created.await(files, () -> !process.isAlive());
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }
}
