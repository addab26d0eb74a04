package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Backups.Backup;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory that has other things than backups: nothing of others is counted, changed or removed.
 */
class BackupsAmongOthersTest {
  @TempDir Path directory;

  private Path checkpoint;
  private Path backups;
  private BackupDirectory known;

  @BeforeEach
  void prepare() throws IOException {
    checkpoint = Files.createDirectory(directory.resolve("checkpoint"));
    backups = Files.createDirectory(directory.resolve("backups"));
    known = BackupDirectory.at(backups);
    Files.writeString(checkpoint.resolve("000009.sst"), "table");
    Files.writeString(checkpoint.resolve("CURRENT"), "MANIFEST-000001");
  }

  private Backup add(String store, int keep) throws IOException {
    return new BackupWriter(backups, 0)
        .add(checkpoint, store, Instant.EPOCH, keep, Backups.Watch.none());
  }

  private Path file(String name, String text) throws IOException {
    Path file = backups.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    return Files.writeString(file, text);
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(backups)) {
      return files.sorted().toList();
    }
  }

  @Test
  void directoriesNamedByDatesAreNeitherCountedNorRemoved() throws IOException {
    for (int day = 1; day <= 29; day++) {
      file("202611%02d/dump.gz".formatted(day), "dump");
    }
    file("20261129/SHA256SUMS", "0123  dump.gz\n");
    List<Path> before = all();

    for (int i = 1; i <= 3; i++) {
      Backup made = add("s", 2);
      assertThat(made.generation()).isEqualTo(i);
      assertThat(made.others())
          .isEqualTo(IntStream.rangeClosed(1, 29).mapToObj("202611%02d"::formatted).toList());
    }

    assertThat(all()).containsAll(before);
    assertThat(known.numbers()).containsExactly(2L, 3L);
    assertThat(known.others()).hasSize(29).contains("20261101", "20261129");
  }

  @Test
  void namesThatLookLikeOursAreLeftAlone() throws IOException {
    List<Path> foreign =
        List.of(
            file("000001", "a file"),
            file("000002/x", "x"),
            file("000003.tmp/x", "x"),
            file("0000004/x", "not our way to write 4"),
            file("hourstone-x.tmp/x", "x"),
            file("notes", "x"));
    add("s", 1);
    assertThat(add("s", 1).others())
        .containsExactly("0000004", "000001", "000002", "000003.tmp", "hourstone-x.tmp", "notes");

    assertThat(foreign).allSatisfy(file -> assertThat(file).exists());
    assertThat(known.numbers()).containsExactly(4L);
  }

  @Test
  void aCorruptBackupIsNotCountedAndStays() throws IOException {
    for (int i = 1; i <= 4; i++) {
      add("s", 0);
    }
    file("000001/SHA256SUMS", "# Hourstone backup 1\n# store s\n");
    Files.delete(backups.resolve("000002/SHA256SUMS"));
    file("000004/SHA256SUMS", "zeros");

    Backup made = add("s", 2);

    assertThat(made.generation()).isEqualTo(5);
    assertThat(made.linked()).as("shared with 3").isPositive();
    assertThat(made.others()).containsExactly("000001", "000002", "000004");
    assertThat(known.numbers()).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(known.others()).isEmpty();
    for (long corrupt : new long[] {1, 2, 4}) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> known.verify(corrupt))
          .withMessageContaining("SHA256SUMS is ");
    }
  }

  @Test
  void aCorruptNewestBackupDoesNotHideTheTimeOfTheOneBeforeIt() throws IOException {
    add("s", 0);
    add("s", 0);
    Files.delete(backups.resolve("000002/SHA256SUMS"));
    file("20261129/dump.gz", "dump");

    Backups extension =
        new StoreBackup(checkpoint, Instant::now, name -> new StoreBackup.Source(checkpoint, "s"));
    assertThat(extension.latest(directory)).contains(Instant.EPOCH);
  }

  @Test
  void anyBackupOfAnotherStoreIsAReasonToRefuse() throws IOException {
    add("other", 0);
    Path moved = Files.move(backups.resolve("000001"), directory.resolve("000001"));
    add("s", 0);
    Files.move(backups.resolve("000001"), backups.resolve("000002"));
    Files.move(moved, backups.resolve("000001"));

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> add("s", 1))
        .withMessageContaining("another store");
    assertThat(known.verify(1)).isEmpty();
  }

  /** By a kill, before anything is in it, or with its list already there. */
  @Test
  void whatWasBegunByUsIsClearedAway() throws IOException {
    add("s", 0);
    Files.createDirectory(backups.resolve("hourstone-000002.tmp"));
    Files.move(backups.resolve("000001"), backups.resolve("hourstone-000001.tmp"));

    assertThat(known.numbers()).isEmpty();
    assertThat(known.others()).isEmpty();
    assertThat(add("s", 1).generation()).isEqualTo(1);
    assertThat(BackupFiles.names(backups)).containsExactly("000001", "LOCK");
  }

  @Test
  void aRestorationContinuesAfterAnInterruptedOneOnly() throws IOException {
    add("s", 0);
    Path store = Files.createDirectory(directory.resolve("store"));
    Path copied = Files.createDirectory(store.resolve("hourstone-restore.tmp"));
    Files.copy(backups.resolve("000001/SHA256SUMS"), copied.resolve("SHA256SUMS"));
    Files.writeString(store.resolve("000009.sst"), "moved, but another size");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> known.restore(1, store))
        .withMessageContaining("it has 000009.sst");

    Files.writeString(store.resolve("000009.sst"), "moved");
    known.restore(1, store);
    assertThat(BackupFiles.names(store)).containsExactly("000009.sst", "CURRENT");
    assertThat(store.resolve("000009.sst")).hasContent("table");

    Files.createDirectory(copied); // of a restoration that was complete
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> known.restore(1, store))
        .withMessageContaining("is not empty");
    assertThat(store.resolve("000009.sst")).exists();
  }
}
