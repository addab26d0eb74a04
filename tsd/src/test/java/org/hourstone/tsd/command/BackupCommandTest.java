package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Backups;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups from the command line, and stores that are made of them. */
class BackupCommandTest {
  private static final long HOUR = 1_700_000_000 / 3600 * 3600;
  private static final int SERIES = 200;
  private static final int POINTS = 20;

  @TempDir Path directory;

  private String place;
  private String restored;
  private String backups;

  @BeforeEach
  void name() {
    place = "rocksdb:" + directory.resolve("store");
    restored = "rocksdb:" + directory.resolve("restored");
    backups = directory.resolve("backups").toString();
  }

  /** Opens the store shortly after the points, whose hour is still open then. */
  private Tsdb open() {
    return Tsdb.open(
        place,
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .withClock(InstantSource.fixed(Instant.ofEpochSecond(HOUR + 1800))));
  }

  /** Puts points, each of which is acknowledged. */
  private static void put(Tsdb db, int from, int to) {
    for (int series = 0; series < SERIES; series++) {
      for (int i = from; i < to; i++) {
        db.putLine("put m " + (HOUR + i) + " " + (series * 100 + i) + " host=h" + series).join();
      }
    }
  }

  private static List<String> points(String store) {
    CommandRun run =
        CommandRun.of(
            "--store",
            store,
            "query",
            "--csv",
            String.valueOf(HOUR),
            String.valueOf(HOUR + POINTS - 1),
            "none:m{host=*}");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.outLines();
  }

  private static CommandRun run(int status, String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.exitCode()).as("%s: %s", String.join(" ", args), run.err()).isEqualTo(status);
    return run;
  }

  private void stored() {
    try (Tsdb db = open()) {
      put(db, 0, POINTS);
    }
  }

  private Path largest(String generation) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(backups, generation))) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  @Test
  void pointsOfAnOpenHourAreInTheBackup() {
    try (Tsdb db = open()) {
      put(db, 0, POINTS);
      Backups.Backup first = db.backups().orElseThrow().create(Path.of(backups), 0);
      put(db, POINTS, POINTS + 1);
      assertThat(first.generation()).isEqualTo(1);

      assertThat(run(ExitCode.OK, "restore", backups, "--to", restored).outLines())
          .element(0)
          .asString()
          .contains("backup 1 of ", "restored to " + directory.resolve("restored"));
    }
    List<String> all = points(restored);
    assertThat(all).hasSize(1 + SERIES * POINTS);
    assertThat(all).isEqualTo(points(place));
    run(ExitCode.OK, "--store", restored, "fsck", "--full-scan");
    run(ExitCode.OK, "--store", restored, "uid", "fsck");
    assertThat(points(restored)).isEqualTo(all);
  }

  @Test
  void aSecondBackupCopiesNextToNothing() {
    stored();
    assertThat(run(ExitCode.OK, "--store", place, "backup", backups).out())
        .matches("backup 1 is complete: \\d+ files, [\\d,]+ bytes copied, 0 shared .*\\R");
    String second = run(ExitCode.OK, "--store", place, "backup", backups).out();
    assertThat(second).startsWith("backup 2 is complete: ").doesNotContain(", 0 shared");

    assertThat(run(ExitCode.OK, "backup", "list", backups).outLines())
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("backup 2 of 2024-01-02T00:00:00Z: ");
    assertThat(run(ExitCode.OK, "backup", "verify", backups).outLines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).endsWith(", all correct"));
  }

  @Test
  void corruptionIsFoundAndNotRestored() throws IOException {
    stored();
    run(ExitCode.OK, "--store", place, "backup", backups);
    Path table = largest("000001");
    byte[] content = Files.readAllBytes(table);
    content[content.length / 2] ^= 1;
    Files.write(table, content);
    run(ExitCode.OK, "--store", place, "backup", backups); // shares the corrupt file

    CommandRun verified = run(ExitCode.FAILED, "backup", "verify", backups);
    assertThat(verified.errLines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains(table.getFileName() + " is corrupt"));
    assertThat(run(ExitCode.FAILED, "backup", "verify", backups, "--generation", "1").err())
        .contains("000001: " + table.getFileName());
    assertThat(run(ExitCode.FAILED, "restore", backups, "--to", restored).err())
        .contains(table.getFileName().toString(), "nothing was restored");

    Files.delete(table);
    Files.delete(Path.of(backups, "000002").resolve(table.getFileName()));
    run(ExitCode.OK, "--store", place, "backup", backups, "--keep", "1");
    run(ExitCode.OK, "backup", "verify", backups);
    run(ExitCode.OK, "restore", backups, "--to", restored, "--generation", "3");
    assertThat(points(restored)).isEqualTo(points(place));
  }

  @Test
  void onlyTheNewestAreKept() {
    stored();
    for (int i = 0; i < 4; i++) {
      run(ExitCode.OK, "--store", place, "backup", backups, "--keep", "2");
    }
    assertThat(run(ExitCode.OK, "backup", "list", backups).outLines())
        .extracting(line -> line.substring(0, "backup N".length()))
        .containsExactly("backup 3", "backup 4");
    assertThat(
            run(ExitCode.FAILED, "restore", backups, "--to", restored, "--generation", "1").err())
        .contains("has no backup 1");
  }

  @Test
  void whatOthersHaveThereIsNamedAndLeftAlone() throws IOException {
    stored();
    Path dump = Files.createDirectories(Path.of(backups, "20261101")).resolve("dump.gz");
    Files.writeString(dump, "dump");
    CommandRun early = run(ExitCode.FAILED, "restore", backups, "--to", restored);
    assertThat(early.err()).contains("no backups in " + backups + "; not a backup: 20261101");
    for (int i = 0; i < 3; i++) {
      assertThat(run(ExitCode.OK, "--store", place, "backup", backups, "--keep", "1").outLines())
          .last()
          .isEqualTo("left alone, as they are no whole backups: 20261101");
    }
    assertThat(dump).hasContent("dump");
    assertThat(run(ExitCode.OK, "backup", "list", backups).outLines())
        .hasSize(2)
        .last()
        .isEqualTo("not a backup, and left alone: 20261101");
    run(ExitCode.OK, "backup", "verify", backups);
    run(ExitCode.OK, "restore", backups, "--to", restored);
  }

  @Test
  void theReserveOfTheStoresDiskStaysFree() {
    stored();
    String reserve = "hourstone.disk.reserve=" + Long.MAX_VALUE / 2;
    CommandRun run = run(ExitCode.FAILED, "--store", place, "--set", reserve, "backup", backups);
    assertThat(run.err()).contains("no room in " + backups, "bytes are still to be copied");
    run(ExitCode.OK, "--store", place, "--set", "hourstone.disk.reserve=0", "backup", backups);
  }

  @Test
  void wrongUseIsRefused() {
    stored();
    run(ExitCode.OK, "--store", place, "backup", backups);
    assertThat(run(ExitCode.FAILED, "restore", backups, "--to", place).err())
        .contains("is not empty");
    run(ExitCode.USAGE, "restore", backups, "--to", "memory:x");
    run(ExitCode.USAGE, "restore", backups);
    run(ExitCode.USAGE, "--store", place, "backup");
    run(ExitCode.USAGE, "--store", place, "backup", backups, "--keep", "0");
    assertThat(run(ExitCode.FAILED, "--store", restored, "backup", backups).err())
        .contains("no data in");
    assertThat(run(ExitCode.FAILED, "--store", "memory:x", "backup", backups).err())
        .contains("no backups of this kind");
    assertThat(run(ExitCode.FAILED, "backup", "list", backups + "2").err())
        .contains(backups + "2: no such file");
    assertThat(run(ExitCode.FAILED, "backup", "verify", directory.toString()).err())
        .contains("no backups in");
  }
}
