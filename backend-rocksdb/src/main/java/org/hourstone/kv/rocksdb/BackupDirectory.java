package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.rocksdb.BackupFiles.Content;

/**
 * A directory with the backups of one RocksDB store. Each is a directory, named by its number, that
 * has all files of the store and their list. No file of a backup ever changes: files of several
 * backups may be the same one, by hard links. {@link BackupWriter} adds them. Thread-safe.
 */
public final class BackupDirectory {
  private final Path directory;

  private BackupDirectory(Path directory) {
    this.directory = directory;
  }

  public static BackupDirectory at(Path directory) {
    return new BackupDirectory(directory);
  }

  /**
   * A backup.
   *
   * @param number at least 1
   * @param time when it was made
   * @param bytes of all its files
   */
  public record Generation(long number, Instant time, int files, long bytes) {}

  /**
   * The numbers of the backups, ascending, also of those whose list of files is corrupt or missing.
   *
   * @throws StoreException if there is no such directory
   */
  public List<Long> numbers() {
    return contents().numbers();
  }

  /**
   * The names of everything else in the directory, sorted: nothing that adds or removes backups
   * changes it.
   *
   * @throws StoreException if there is no such directory
   */
  public List<String> others() {
    return contents().others();
  }

  private BackupContents contents() {
    try {
      // Files.isDirectory would be false without a reason where permission is missing.
      if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
        throw new NotDirectoryException(directory.toString());
      }
      return BackupContents.of(directory);
    } catch (IOException e) {
      throw failed("can't be read", e);
    }
  }

  /**
   * What a backup is.
   *
   * @throws StoreException REJECTED if it is missing, or its list of files is corrupt
   */
  public Generation generation(long number) {
    return generation(number, manifest(number));
  }

  private static Generation generation(long number, BackupManifest manifest) {
    return new Generation(number, manifest.time(), manifest.files().size(), manifest.bytes());
  }

  /**
   * Reads a whole backup.
   *
   * @return what is wrong, a line for each file that is missing or corrupt
   * @throws StoreException REJECTED if it is missing, or its list of files is corrupt
   */
  public List<String> verify(long number) {
    List<String> problems = new ArrayList<>();
    manifest(number)
        .files()
        .forEach(
            (name, content) -> {
              try {
                Content found = BackupFiles.read(path(number).resolve(name));
                if (!found.equals(content)) {
                  problems.add(fault(name(number), name, content, found));
                }
              } catch (IOException e) {
                problems.add("backup " + name(number) + ": " + RocksDbErrors.reason(e));
              }
            });
    return problems;
  }

  /**
   * Copies a backup to the place of a store, and compares it with its checksums. The store can be
   * opened only once all of it is there; if something is wrong, nothing is left of it. What an
   * interrupted restoration has left there is deleted.
   *
   * @param store a directory that is empty or does not exist
   * @throws StoreException REJECTED if it is not empty, or the backup is corrupt; NOT_APPLIED if
   *     its disk has no room for it
   */
  public Generation restore(long number, Path store) {
    BackupManifest manifest = manifest(number);
    try {
      new BackupRestoration(path(number), manifest, store).run();
      return generation(number, manifest);
    } catch (IOException e) {
      throw failed("can't be restored to " + store, e);
    }
  }

  private BackupManifest manifest(long number) {
    if (!Files.isDirectory(path(number))) {
      throw rejected(directory + " has no backup " + number);
    }
    try {
      BackupManifest manifest = BackupManifest.read(path(number));
      if (manifest == null) {
        throw rejected("backup " + name(number) + ": " + BackupManifest.FILE + " is corrupt");
      }
      return manifest;
    } catch (NoSuchFileException e) {
      throw rejected("backup " + name(number) + ": " + BackupManifest.FILE + " is missing");
    } catch (IOException e) {
      throw failed("can't be read", e);
    }
  }

  Path path(long number) {
    return directory.resolve(name(number));
  }

  private static String name(long number) {
    return BackupContents.name(number);
  }

  static String fault(String backup, String name, Content expected, Content found) {
    return "backup "
        + backup
        + ": "
        + name
        + (found.size() == expected.size()
            ? " is corrupt: its checksum is wrong"
            : " is corrupt: it has " + found.size() + " bytes of " + expected.size());
  }

  static StoreException rejected(String what) {
    return new StoreException(Outcome.REJECTED, what);
  }

  private StoreException failed(String what, IOException e) {
    return new StoreException(
        Outcome.NOT_APPLIED,
        "backups in " + directory + ": " + what + ": " + RocksDbErrors.reason(e),
        e);
  }

  static void tryDelete(Path path) {
    try {
      BackupFiles.delete(path);
    } catch (IOException e) {
      // The next attempt deletes it.
    }
  }
}
