package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Backups.Backup;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Backups of a store that is in use, and what becomes of them. */
class BackupTest extends RocksDbCase {
  private static final int ROWS = 500;
  private static final int VALUE_BYTES = 1000;

  private Path place;
  private Path backups;
  private BackupDirectory known;

  @BeforeEach
  void name() {
    place = directory.resolve("store");
    backups = directory.resolve("backups");
    known = BackupDirectory.at(backups);
  }

  /** A store with rows that can't be compressed. */
  private KeyValueStore filled(Path where) {
    KeyValueStore store = open(where);
    create(store, FAMILY);
    Random random = new Random(SEED);
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      store.put(FAMILY, row(i), QUALIFIER, value);
    }
    return store;
  }

  private Backup backup(KeyValueStore store, int keep) {
    return store.extension(Backups.class).orElseThrow().create(backups, keep);
  }

  private static void assertRejected(ThrowingCallable call, String... texts) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e).hasMessageContainingAll(texts))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED));
  }

  private int rows(Path restored) {
    try (KeyValueStore store = open(restored)) {
      int rows = 0;
      while (!store.get(FAMILY, row(rows), Columns.all()).isEmpty()) {
        rows++;
      }
      return rows;
    }
  }

  private List<Path> tables(String backup) throws IOException {
    return StoreDirectory.files(backups.resolve(backup), "*.sst");
  }

  @Test
  void whatWasAcknowledgedIsInTheRestoredStore() throws IOException {
    Path restored = directory.resolve("restored");
    try (KeyValueStore store = filled(place)) {
      Backup made = backup(store, 0);

      assertThat(made.generation()).isEqualTo(1);
      assertThat(made.linked()).isZero();
      assertThat(made.copied()).isGreaterThan(ROWS * VALUE_BYTES);
      store.put(FAMILY, row(ROWS), QUALIFIER, new byte[1]);
      assertThat(StoreDirectory.files(place, "backup-*")).isEmpty();
      assertThat(known.verify(1)).isEmpty();

      BackupDirectory.Generation generation = known.restore(1, restored);
      assertThat(generation.time()).isEqualTo(Instant.ofEpochMilli(now.get()));
      assertThat(generation.bytes()).isEqualTo(made.copied());
      assertThat(generation.files()).isEqualTo(made.files());
      assertThat(rows(restored)).isEqualTo(ROWS);
      assertThat(StoreDirectory.files(restored, "*.tmp")).isEmpty();
      store.put(FAMILY, row(0), QUALIFIER, new byte[1]); // the original is not affected
    }
    assertThat(rows(place)).isEqualTo(ROWS + 1);
  }

  @Test
  void unchangedFilesAreNotCopiedAgain() throws IOException {
    byte[] large = new byte[8 << 20];
    new Random(SEED).nextBytes(large);
    try (KeyValueStore store = filled(place)) {
      store.put(FAMILY, ROW, QUALIFIER, large);
      store.put(FAMILY, ROW, new byte[] {2, 3}, large);
      Backup first = backup(store, 0);
      store.put(FAMILY, row(ROWS), QUALIFIER, new byte[1]);
      Backup second = backup(store, 0);

      assertThat(second.generation()).isEqualTo(2);
      assertThat(second.linked()).isGreaterThan(ROWS * VALUE_BYTES);
      Path former = tables("000001").get(0);
      assertThat(Files.isSameFile(former, backups.resolve("000002").resolve(former.getFileName())))
          .isTrue();
      long tables = 0;
      for (Path table : tables("000001")) {
        tables += Files.size(table);
      }
      assertThat(second.linked()).as("all that the first has").isEqualTo(tables);
      assertThat(second.copied()).isLessThan(first.copied() / 100);
    }
    Path restored = directory.resolve("restored");
    known.restore(2, restored);
    assertThat(rows(restored)).isEqualTo(ROWS + 1);
  }

  @Test
  void anotherFileOfTheSameNameAndSizeIsCopied() throws IOException {
    Path checkpoint = Files.createDirectory(directory.resolve("checkpoint"));
    Path table = checkpoint.resolve("000009.sst");
    Files.writeString(table, "first");
    new BackupWriter(backups, 0).add(checkpoint, "s", Instant.EPOCH, 0, Backups.Watch.none());
    Files.writeString(table, "other");

    assertThat(
            new BackupWriter(backups, 0)
                .add(checkpoint, "s", Instant.EPOCH, 0, Backups.Watch.none()))
        .isEqualTo(new Backup(2, 1, "other".length(), 0, List.of()));
    assertThat(backups.resolve("000001/000009.sst")).hasContent("first");
    assertThat(known.verify(1)).isEmpty();
    assertThat(known.verify(2)).isEmpty();
  }

  /** Remembers how far a backup has come, and cancels it once it has read a number of bytes. */
  private static final class Canceller implements Backups.Watch {
    private final long after;
    private long read;
    private long all;

    Canceller(long after) {
      this.after = after;
    }

    @Override
    public void progress(long bytes, long total) {
      assertThat(bytes).isBetween(read + 1, total);
      read = bytes;
      all = total;
    }

    @Override
    public boolean isCancelled() {
      return read >= after;
    }
  }

  @Test
  void aCancelledBackupLeavesTheEarlierOnes() throws IOException {
    try (KeyValueStore store = filled(place)) {
      Backups made = store.extension(Backups.class).orElseThrow();
      Canceller patient = new Canceller(Long.MAX_VALUE);
      made.create(backups, 0, patient);
      assertThat(patient.read).isEqualTo(patient.all).isGreaterThan(ROWS * VALUE_BYTES);

      for (long after : new long[] {0, 1, patient.all / 2}) {
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> made.create(backups, 1, new Canceller(after)))
            .withMessage("the backup was cancelled");
        assertThat(BackupFiles.names(backups)).containsExactly("000001", "LOCK");
        assertThat(StoreDirectory.files(place, "backup-*")).isEmpty();
      }
      assertThat(made.create(backups, 0).generation()).isEqualTo(2);
      assertThat(known.verify(1)).isEmpty();
      assertThat(known.verify(2)).isEmpty();
    }
  }

  @Test
  void corruptAndMissingFilesAreNamed() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
    }
    Path table = tables("000001").get(0);
    StoreDirectory.corrupt(table, (int) Files.size(table) / 2);
    Path manifest = StoreDirectory.files(backups.resolve("000001"), "MANIFEST-*").get(0);
    Files.write(manifest, new byte[3]);
    Files.delete(backups.resolve("000001/CURRENT"));

    assertThat(known.verify(1))
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).contains("CURRENT: no such file"))
        .anySatisfy(
            line -> assertThat(line).contains(manifest.getFileName() + " is corrupt: it has 3 "))
        .anySatisfy(
            line -> assertThat(line).contains(table.getFileName() + " is corrupt: its checksum"));
  }

  @Test
  void aCorruptBackupIsNotRestored() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
    }
    Path table = tables("000001").get(0);
    StoreDirectory.corrupt(table, (int) Files.size(table) / 2);
    Path restored = directory.resolve("restored");

    assertRejected(() -> known.restore(1, restored), "000001", table.getFileName().toString());
    assertThat(restored).doesNotExist();
  }

  @Test
  void aCorruptListOfFilesIsNoticed() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      Path list = backups.resolve("000001/SHA256SUMS");
      List<String> lines = new ArrayList<>(Files.readAllLines(list));
      lines.remove(5);
      lines.remove(4);
      Files.write(list, lines);

      assertRejected(() -> known.verify(1), "SHA256SUMS is corrupt");
      assertRejected(() -> known.restore(1, directory.resolve("restored")), "SHA256SUMS");
      Files.delete(list);
      assertRejected(() -> known.generation(1), "SHA256SUMS is missing");
      assertThat(backup(store, 0).linked()).as("nothing is known of the first").isZero();
      assertThat(known.verify(2)).isEmpty();
    }
  }

  /** Else it fills the disk, which others may use, before it fails. */
  @Test
  void aBackupThatTheDiskHasNoRoomForIsNotCopied() throws IOException {
    Path first = Files.createDirectories(backups.resolve("000001"));
    Map<String, BackupFiles.Content> files =
        Map.of("000009.sst", new BackupFiles.Content(1L << 59, "0".repeat(64)));
    new BackupManifest("s", Instant.EPOCH, files).write(first);
    Path restored = directory.resolve("restored");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> known.restore(1, restored))
        .withMessageContaining("backup 000001 has 576460752303423488 bytes, but only ")
        .withMessageContaining("are free for " + restored);
    assertThat(restored).doesNotExist();
  }

  @Test
  void aBackupIsRestoredOnlyToAnEmptyPlace() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      assertRejected(() -> known.restore(1, place), place.toString(), "is not empty");
    }
    assertThat(rows(place)).isEqualTo(ROWS);
    Path file = Files.createFile(directory.resolve("file"));
    assertRejected(() -> known.restore(1, file), "is not a directory");
    assertRejected(() -> known.restore(2, directory.resolve("restored")), "has no backup 2");

    Path mounted = directory.resolve("mounted");
    Files.createDirectories(mounted.resolve("lost+found"));
    Files.createDirectories(
        mounted.resolve("hourstone-restore.tmp/000001.sst")); // of an interruption
    known.restore(1, mounted);
    assertThat(rows(mounted)).isEqualTo(ROWS);
  }

  @Test
  void anInterruptionLeavesEarlierGenerationsAndIsClearedAway() throws IOException {
    Path torn = Files.createDirectory(directory.resolve("torn"));
    Files.createFile(torn.resolve("000001.sst"));
    Files.createDirectory(torn.resolve("000002.sst")); // can't be copied
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      String identity = Files.readAllLines(backups.resolve("000001/SHA256SUMS")).get(1);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  new BackupWriter(backups, 0)
                      .add(
                          torn,
                          identity.substring("# store ".length()),
                          Instant.EPOCH,
                          1,
                          Backups.Watch.none()));
      assertThat(BackupFiles.names(backups)).containsExactly("000001", "LOCK");

      Files.createDirectories(backups.resolve("hourstone-000002.tmp")); // of a process that died
      Files.writeString(backups.resolve("hourstone-000002.tmp/000001.sst"), "half");
      Path left = place.resolve("backup-" + UUID.randomUUID());
      Files.createDirectories(left.resolve("x"));
      Files.createDirectories(left.resolveSibling(left.getFileName() + ".tmp"));
      Path own = Files.createDirectory(place.resolve("backup-old")); // of the user
      assertThat(known.numbers()).containsExactly(1L);
      assertThat(known.verify(1)).isEmpty();
      assertThat(backup(store, 0).generation()).isEqualTo(2);
      assertThat(BackupFiles.names(backups)).containsExactly("000001", "000002", "LOCK");
      assertThat(StoreDirectory.files(place, "backup-*")).containsExactly(own);
      Files.createDirectories(left.resolve("x"));
    }
    assertThat(rows(place)).as("opened with what an interruption left").isEqualTo(ROWS);
  }

  @Test
  void theOldestAreRemovedOnlyAfterSuccess() throws IOException {
    Path restored = directory.resolve("restored");
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      backup(store, 0);
      Files.createDirectories(backups.resolve("000003")); // someone else's
      backup(store, 2);

      assertThat(known.numbers()).containsExactly(2L, 4L);
      assertThat(known.verify(2)).isEmpty();
      assertThat(known.verify(4)).isEmpty();
      known.restore(4, restored);
    }
    assertThat(rows(restored)).isEqualTo(ROWS);
  }

  @Test
  void aRestoredStoreGoesOnWithItsBackups() {
    Path restored = directory.resolve("restored");
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
    }
    known.restore(1, restored);
    try (KeyValueStore store = open(restored)) {
      create(store, FAMILY);
      store.put(FAMILY, row(ROWS), QUALIFIER, new byte[1]);
      assertThat(backup(store, 0).linked()).isGreaterThan(ROWS * VALUE_BYTES);
    }
    assertThat(known.verify(2)).isEmpty();
  }

  @Test
  void wrongDirectoriesAreRefused() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      Backups extension = store.extension(Backups.class).orElseThrow();
      assertRejected(() -> extension.create(place, 0), "own directory");
      assertRejected(() -> extension.create(place.resolve("x"), 0), "own directory");

      now.incrementAndGet();
      Path other = directory.resolve("other");
      try (KeyValueStore another = filled(other)) {
        assertRejected(() -> backup(another, 1), "another store");
        assertRejected(() -> extension.create(other, 0), "directory of a store");
      }
      assertThat(known.numbers()).containsExactly(1L);

      Path file = directory.resolve("file");
      Files.write(file, "x".getBytes(UTF_8));
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> extension.create(file, 0))
          .withMessageContaining(file.toString());
    }
  }

  @Test
  void oneBackupToADirectoryIsMadeAtATime() throws IOException {
    try (KeyValueStore store = filled(place)) {
      backup(store, 0);
      try (FileChannel channel =
              FileChannel.open(backups.resolve("LOCK"), StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        assertThat(lock.isValid()).isTrue();
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> backup(store, 0))
            .withMessageContaining("in progress");
      }
      assertThat(known.numbers()).containsExactly(1L);
      assertThat(backup(store, 0).generation()).isEqualTo(2);
    }
  }
}
