package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreHealth;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a store's directory while the store is open. */
@Timeout(120)
class ReplacedDirectoryTest extends RocksDbCase {
  private static final int BACKED_UP = 20_000;

  private Path data;
  private Path elsewhere;
  private Path backup;

  @BeforeEach
  void createStores() throws IOException {
    data = Files.createDirectory(directory.resolve("parent")).resolve("data");
    elsewhere = directory.resolve("elsewhere");
    backup = directory.resolve("backup");
    try (KeyValueStore store = open(backup)) {
      create(store, FAMILY);
      store.put(FAMILY, row(BACKED_UP), QUALIFIER, new byte[] {1});
    }
    try (KeyValueStore store = open(data)) {
      create(store, FAMILY);
      store.put(FAMILY, row(0), QUALIFIER, new byte[] {1});
    }
  }

  /** Puts rows until one is refused; returns the number of rows. */
  private static int putUntilRefused(KeyValueStore store, int from) {
    for (int row = from; ; row++) {
      try {
        store.put(FAMILY, row(row), QUALIFIER, new byte[1000]);
      } catch (StoreException e) {
        if (e.outcome() == Outcome.UNKNOWN) { // it was written when the replacement was noticed
          assertThat(e).hasMessageContaining("the files in its directory were replaced: ");
          continue;
        }
        assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(e).hasMessageContaining("writes are refused: ");
        return row;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static int putUntilRefused(KeyValueStore store, int from, String because) {
    int rows = putUntilRefused(store, from);
    assertThat(reason(store)).contains(because);
    assertRows(store, rows);
    return rows;
  }

  private static String reason(KeyValueStore store) {
    StoreHealth.Outage outage = health(store).outage();
    return outage == null ? "" : outage.reason();
  }

  private static StoreHealth health(KeyValueStore store) {
    return store.extension(StoreHealth.class).orElseThrow();
  }

  private static void assertRows(KeyValueStore store, int rows) {
    for (int row = 0; row < rows; row++) {
      assertThat(store.get(FAMILY, row(row), Columns.all()).size()).as("row %d", row).isOne();
    }
  }

  private void assertRows(Path store, int rows) {
    try (KeyValueStore again = open(store)) {
      assertRows(again, rows);
      again.put(FAMILY, row(rows), QUALIFIER, new byte[] {1});
    }
  }

  /** The names and contents of all files. */
  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : StoreDirectory.files(directory, "*")) {
      if (Files.isRegularFile(file)) {
        contents.put(
            file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aRestoredBackupIsNotTouchedAndTheMovedDirectoryIsComplete() throws IOException {
    int rows;
    Map<String, String> restored;
    try (KeyValueStore store = open(data)) {
      store.put(FAMILY, row(1), QUALIFIER, new byte[1000]);
      Files.move(data, elsewhere);
      StoreDirectory.copy(backup, data);
      restored = contents(data);
      rows = putUntilRefused(store, 2, "its directory was replaced: another one is at " + data);
    }
    assertThat(contents(data)).isEqualTo(restored);
    assertRows(elsewhere, rows);
    try (KeyValueStore store = open(data)) {
      assertThat(store.get(FAMILY, row(BACKED_UP), Columns.all()).size()).isOne();
    }
  }

  @Test
  void aMovedDirectoryIsWrittenAgainOnceItIsBack() throws IOException {
    int rows;
    try (KeyValueStore store = open(data)) {
      Files.move(data.getParent(), elsewhere);
      rows = putUntilRefused(store, 1, "its directory was moved or removed: there is none at");
      Files.move(elsewhere, data.getParent());
      StoreHealth health = health(store);
      while (health.outage() != null) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      store.put(FAMILY, row(rows), QUALIFIER, new byte[] {1});
    }
    assertRows(data, rows + 1);
  }

  @Test
  void aDirectoryThatIsReachedByASymbolicLinkAfterItWasMovedIsTheSame() throws IOException {
    try (RocksDbStore store = RocksDbStore.open(data, RocksDbOptions.defaults())) {
      Files.move(data, elsewhere);
      Files.createSymbolicLink(data, elsewhere);
      store.put(FAMILY, row(1), QUALIFIER, new byte[] {1});
      Files.delete(data);
      Files.createSymbolicLink(data, backup);
      int rows = putUntilRefused(store, 2, "another one is at");
      assertRows(store, rows);
    }
    assertRows(elsewhere, 2);
  }

  @Test
  void aStoreThatIsCreatedAfterTheDirectoryWasDeletedIsNotTouched() throws IOException {
    Map<String, String> fresh;
    try (KeyValueStore store = open(data)) {
      store.put(FAMILY, row(1), QUALIFIER, new byte[1000]);
      delete(data);
      try (KeyValueStore other = open(data)) {
        create(other, FAMILY);
        for (int row = 0; row < 100; row++) {
          other.put(FAMILY, row(row), QUALIFIER, new byte[1000]);
        }
      }
      fresh = contents(data);
      putUntilRefused(store, 2, "the files in its directory were removed");
    }
    assertThat(contents(data)).isEqualTo(fresh);
    assertRows(data, 100);
  }

  @Test
  void aDeletedDirectoryIsReported() throws IOException {
    try (KeyValueStore store = open(data)) {
      delete(data);
      putUntilRefused(store, 1, "the files in its directory were removed: there is no LOCK");
    }
    assertThat(data).doesNotExist();
  }

  /** As {@code rm -rf data/*; cp -a backup/. data} does it. */
  @Test
  void filesThatWereReplacedWithinTheDirectoryAreNotTouched() throws IOException {
    Map<String, String> restored;
    try (KeyValueStore store = open(data)) {
      store.put(FAMILY, row(1), QUALIFIER, new byte[1000]);
      for (Path file : StoreDirectory.files(data, "*")) {
        if (Files.isRegularFile(file)) {
          Files.delete(file);
        }
      }
      StoreDirectory.copy(backup, data);
      restored = contents(data);
      putUntilRefused(store, 2, "the files in its directory were replaced: LOCK is another file");
    }
    assertThat(contents(data)).isEqualTo(restored);
  }

  /** As {@code cp checkpoint/* data} does it: the files stay, their contents change. */
  @Test
  void filesThatWereOverwrittenAreNotTouched() throws IOException {
    Path checkpoint = directory.resolve("checkpoint");
    try (KeyValueStore store = open(backup)) {
      store.extension(Checkpoints.class).orElseThrow().create(checkpoint);
    }
    Map<String, String> overwritten;
    try (KeyValueStore store = open(data)) {
      for (Path file : StoreDirectory.files(checkpoint, "*")) {
        Files.write(data.resolve(file.getFileName()), Files.readAllBytes(file));
      }
      overwritten = contents(checkpoint);
      putUntilRefused(store, 1);
      assertThat(reason(store)).contains("the files in its directory were repl");
    }
    Map<String, String> left = contents(data);
    overwritten.forEach(
        (name, content) -> {
          if (!name.endsWith(".log")) {
            assertThat(left).containsEntry(name, content);
          }
        });
  }

  /** As {@code cp -a copy/. data} does it, of a copy that was made when no process ran. */
  @Test
  void aStoppedCopyThatIsWrittenOverTheFilesIsNotTouched() throws IOException {
    Path copy = StoreDirectory.copy(data, directory.resolve("copy"));
    Map<String, String> restored = contents(copy);
    try (KeyValueStore store = open(data)) {
      store.put(FAMILY, row(1), QUALIFIER, new byte[1000]);
      for (Path file : StoreDirectory.files(copy, "*")) {
        Files.write(data.resolve(file.getFileName()), Files.readAllBytes(file));
      }
      putUntilRefused(store, 2);
      assertThat(reason(store)).contains("the files in its directory were repl");
    }
    assertThat(contents(data)).containsAllEntriesOf(restored);
  }

  @Test
  void whatIsReplacedJustBeforeTheStoreIsClosedIsNotTouched() throws IOException {
    KeyValueStore store = open(data);
    store.put(FAMILY, row(1), QUALIFIER, new byte[1000]);
    Files.move(data, elsewhere);
    StoreDirectory.copy(backup, data);
    Map<String, String> restored = contents(data);
    store.close();
    assertThat(contents(data)).isEqualTo(restored);
    assertRows(elsewhere, 2);
  }

  @Test
  void onlyTheLockAndTheManifestAreComparedSoOtherChangesAreNoReplacement() throws IOException {
    try (KeyValueStore store = open(data)) {
      Files.deleteIfExists(data.resolve("IDENTITY"));
      Files.setLastModifiedTime(data.resolve("LOCK"), FileTime.fromMillis(1));
      StoreDirectory.copy(data, elsewhere);
      for (Path file : StoreDirectory.files(data, "CURRENT")) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      Files.createLink(directory.resolve("link"), data.resolve("CURRENT"));
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
      while (System.nanoTime() < until) {
        store.put(FAMILY, row(1), QUALIFIER, new byte[] {1});
      }
    }
  }
}
