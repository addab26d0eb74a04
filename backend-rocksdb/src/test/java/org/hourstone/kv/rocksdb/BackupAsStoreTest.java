package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backup that is opened as if it were a store: RocksDB would replace and delete its files. */
class BackupAsStoreTest extends RocksDbCase {
  private Path backups;
  private Path backup;

  @BeforeEach
  void backUp() {
    backups = directory.resolve("backups");
    backup = backups.resolve("000001");
    try (KeyValueStore store = open(directory.resolve("store"))) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, new byte[] {7});
      store.extension(Backups.class).orElseThrow().create(backups, 0);
    }
  }

  private void assertWhole() {
    assertThat(BackupDirectory.at(backups).verify(1)).isEmpty();
  }

  private static void assertNotOpened(ThrowingCallable opening, String hint) {
    assertThatThrownBy(opening)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("000001 is a backup, and never written to: restore makes a store")
        .hasMessageContaining(hint)
        .extracting(e -> ((StoreException) e).outcome())
        .isEqualTo(Outcome.NOT_APPLIED);
  }

  @Test
  void itIsNotOpenedForWriting() {
    assertNotOpened(() -> open(backup), "; ?readonly=true reads what is stored");
    assertWhole();
    assertNotOpened(() -> KeyValueStores.open("rocksdb:" + backup + "?recover=prefix"), "");
    assertWhole();
  }

  @Test
  void itIsRead() {
    try (KeyValueStore read = KeyValueStores.open("rocksdb:" + backup + "?readonly=true")) {
      assertThat(read.get(FAMILY, ROW, Columns.all()).size()).isEqualTo(1);
    }
    assertWhole();
  }

  /** A copy becomes a store when its list of files is removed, as a restored one has none. */
  @Test
  void withoutItsListItIsAStore() throws IOException {
    Files.delete(backup.resolve(BackupManifest.FILE));
    try (KeyValueStore store = open(backup)) {
      store.put(FAMILY, row(2), QUALIFIER, new byte[] {8});
      assertThat(store.get(FAMILY, row(2), Columns.all()).size()).isEqualTo(1);
    }
  }

  /** Such as one that an earlier version has opened: what was written since must not be lost. */
  @Test
  void aCopyThatWasWrittenToSinceIsAStore() throws IOException {
    Path list = backup.resolve(BackupManifest.FILE);
    byte[] content = Files.readAllBytes(list);
    Files.delete(list);
    try (KeyValueStore store = open(backup)) {
      store.put(FAMILY, row(2), QUALIFIER, new byte[] {8});
    }
    Files.write(list, content);
    try (KeyValueStore store = open(backup)) {
      assertThat(store.get(FAMILY, row(2), Columns.all()).size()).isEqualTo(1);
    }
  }

  @Test
  void aBackupWhoseListCannotBeReadIsNotOpenedForWriting() throws IOException {
    Path list = backup.resolve(BackupManifest.FILE);
    Files.delete(list);
    Files.createDirectory(list);
    assertThatThrownBy(() -> open(backup))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Is a directory");
  }

  /** Its target may be a disk that is not mounted. */
  @Test
  void aRestorationThatFailsKeepsALinkToNothing() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("missing"));
    assertThatThrownBy(() -> BackupDirectory.at(backups).restore(1, link))
        .isInstanceOf(StoreException.class);
    assertThat(link).isSymbolicLink();
  }

  /** A directory that can't be looked into, as one without permission is, is not "no such file". */
  @Test
  void whatCanNotBeReachedIsNotSaidToBeMissing() throws IOException {
    Path circle = Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
    assertThatThrownBy(() -> BackupDirectory.at(circle).numbers())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("symbolic links");

    Path place = Files.createDirectory(directory.resolve("place"));
    Files.createSymbolicLink(place.resolve(StoreFiles.CURRENT), Path.of(StoreFiles.CURRENT));
    assertThatThrownBy(() -> KeyValueStores.open("rocksdb:" + place + "?readonly=true"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("symbolic links");
  }
}
