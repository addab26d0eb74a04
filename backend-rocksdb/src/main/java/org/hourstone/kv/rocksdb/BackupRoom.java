package org.hourstone.kv.rocksdb;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * The room for a backup. One that filled the disk of its store would stop what writes to the store,
 * and then fail nevertheless.
 *
 * @param directory of the backups
 * @param reserve how many bytes must stay free
 * @param free how many are, in bytes
 */
record BackupRoom(Path directory, long reserve, LongSupplier free) {
  /**
   * @param store a directory on the disk of the store
   * @param reserve how many bytes of that disk must stay free
   */
  static BackupRoom in(Path directory, Path store, long reserve) throws IOException {
    return new BackupRoom(
        directory, isSameDisk(directory, store) ? reserve : 0, () -> free(directory));
  }

  /**
   * How many bytes can be written to the disk of a directory; the most that a long can be if its
   * file system does not know.
   */
  static long free(Path directory) {
    File file = directory.toFile();
    return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
  }

  /** By its device: one disk may be mounted at two places, as in containers. */
  private static boolean isSameDisk(Path one, Path other) throws IOException {
    return one.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? Files.getAttribute(one, "unix:dev").equals(Files.getAttribute(other, "unix:dev"))
        : Files.getFileStore(one).equals(Files.getFileStore(other));
  }

  /**
   * @param bytes that are still to be copied
   * @throws StoreException NOT_APPLIED if there is no room for them
   */
  void check(long bytes) {
    long now = free.getAsLong();
    if (now - reserve < bytes) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "no room in %s: %d bytes are still to be copied, but only %d are free%s"
              .formatted(
                  directory,
                  bytes,
                  now,
                  reserve == 0
                      ? ""
                      : ", of which the "
                          + reserve
                          + " of the store's hourstone.disk.reserve must stay free"));
    }
  }
}
