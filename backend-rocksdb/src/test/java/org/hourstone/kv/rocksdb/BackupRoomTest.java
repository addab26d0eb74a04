package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Backups.Backup;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testing.SmallDisk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups for which the disk has no room, or none that may be used. */
class BackupRoomTest {
  private static final int MB = 1 << 20;

  @TempDir Path directory;

  private Path checkpoint;

  @BeforeEach
  void prepare() throws IOException {
    checkpoint = Files.createDirectory(directory.resolve("checkpoint"));
  }

  private static Backup add(Path checkpoint, Path backups, long reserve) throws IOException {
    return new BackupWriter(backups, reserve)
        .add(checkpoint, "s", Instant.EPOCH, 0, Backups.Watch.none());
  }

  private static void assertNoRoom(Path checkpoint, Path backups, long reserve, String... texts) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> add(checkpoint, backups, reserve))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED))
        .satisfies(e -> assertThat(e).hasMessageContainingAll(texts));
  }

  @Test
  void nothingIsCopiedIfTheReserveWouldNotStayFree() throws IOException {
    Files.write(checkpoint.resolve("000001.sst"), new byte[1000]);
    Path backups = directory.resolve("backups");
    String reserve = Long.toString(Long.MAX_VALUE / 2);

    assertNoRoom(
        checkpoint,
        backups,
        Long.MAX_VALUE / 2,
        "no room in " + backups + ": 1000 bytes are still to be copied, but only ",
        " are free, of which the " + reserve + " of the store's hourstone.disk.reserve");
    assertThat(BackupFiles.names(backups)).containsExactly("LOCK");
    assertThat(add(checkpoint, backups, 0).copied()).isEqualTo(1000);
  }

  @Test
  void filesThatAreSharedNeedNoRoom() throws IOException {
    Files.write(checkpoint.resolve("000001.sst"), new byte[1000]);
    Path backups = directory.resolve("backups");
    add(checkpoint, backups, 0);
    Files.write(checkpoint.resolve("CURRENT"), new byte[10]);

    assertNoRoom(checkpoint, backups, Long.MAX_VALUE / 2, ": 10 bytes are still to be copied");
    Files.delete(backups.resolve("000001/000001.sst"));
    assertNoRoom(checkpoint, backups, Long.MAX_VALUE / 2, ": 1010 bytes are still to be copied");
  }

  @Test
  void theDiskIsNotFilled() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=16m")) {
      Path store = Files.createDirectory(disk.directory().resolve("checkpoint"));
      Files.write(store.resolve("000001.sst"), new byte[5 * MB]);
      Files.write(store.resolve("000002.sst"), new byte[4 * MB]);
      Path backups = disk.directory().resolve("backups");
      String needed = Integer.toString(9 * MB);

      assertNoRoom(
          store, backups, 0, needed + " bytes are still to be copied", Long.toString(7 * MB));
      Files.delete(store.resolve("000002.sst"));
      assertNoRoom(store, backups, 8 * MB, Integer.toString(5 * MB), Integer.toString(8 * MB));
      assertThat(BackupFiles.names(backups)).containsExactly("LOCK");
      assertThat(add(store, backups, 4 * MB).copied()).isEqualTo(5 * MB);
      assertThat(add(checkpoint, backups, 0).generation()).isEqualTo(2);
    }
  }

  /** The reserve is that of the store's disk. */
  @Test
  void anotherDiskNeedsNoReserve() throws Exception {
    Files.write(checkpoint.resolve("000001.sst"), new byte[MB]);
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=2m")) {
      assertThat(add(checkpoint, disk.directory(), Long.MAX_VALUE / 2).copied()).isEqualTo(MB);
      assertNoRoom(checkpoint, disk.directory().resolve("x"), 0, "only ", " are free");
    }
  }

  @Test
  void roomThatOthersTakeIsMissed() throws Exception {
    Files.write(checkpoint.resolve("000001.sst"), new byte[MB]);
    Files.write(checkpoint.resolve("000002.sst"), new byte[5 * MB]);
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "size=8m")) {
      Path ballast = disk.directory().resolve("ballast");
      Backups.Watch others =
          new Backups.Watch() {
            @Override
            public void progress(long bytes, long all) {
              try {
                Files.write(ballast, new byte[4 * MB]);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }

            @Override
            public boolean isCancelled() {
              return false;
            }
          };
      Path backups = disk.directory().resolve("backups");
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(
              () -> new BackupWriter(backups, 0).add(checkpoint, "s", Instant.EPOCH, 0, others))
          .withMessageContaining("no room in " + backups + ": " + 5 * MB + " bytes are still to");
      assertThat(BackupFiles.names(backups)).containsExactly("LOCK");
    }
  }

  @Test
  void theReserveIsLeftToTheByte() {
    BackupRoom room = new BackupRoom(directory, 50, () -> 100);
    room.check(50);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> room.check(51))
        .withMessageContainingAll("51 bytes", "only 100 are free", "the 50 of the store's");
  }
}
