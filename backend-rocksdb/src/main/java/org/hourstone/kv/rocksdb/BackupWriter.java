package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Backups.Backup;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.rocksdb.BackupFiles.Content;
import org.jspecify.annotations.Nullable;

/**
 * Adds backups to a directory, and removes old ones, one at a time, by whichever process. A backup
 * appears, and disappears, by one renaming: a name that ends with {@code .tmp} is that of one which
 * is not complete, or no more, and the next backup deletes it.
 */
final class BackupWriter {
  private static final Pattern LEFTOVER = Pattern.compile("\\d{6,18}\\.tmp");

  /** The files that RocksDB never changes. */
  private static final Pattern FIXED = Pattern.compile("\\d+\\.(sst|blob)");

  private final Path directory;
  private final BackupDirectory backups;

  BackupWriter(Path directory) {
    this.directory = directory;
    this.backups = BackupDirectory.at(directory);
  }

  /** A backup with which a new one may share files. */
  private record Former(Path path, BackupManifest manifest) {}

  /**
   * Adds a backup.
   *
   * @param checkpoint a directory with the files of the store, which don't change
   * @param store what distinguishes it from others
   * @param keep see {@link org.hourstone.kv.Backups#create}
   */
  Backup add(Path checkpoint, String store, Instant time, int keep, Backups.Watch watch)
      throws IOException {
    BackupFiles.create(directory);
    if (Files.exists(directory.resolve(StoreFiles.CURRENT))) {
      throw BackupDirectory.rejected(directory + " is the directory of a store");
    }
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(channel)) {
      if (lock == null) {
        throw new StoreException(
            Outcome.NOT_APPLIED, "another backup to " + directory + " is in progress");
      }
      for (String name : BackupFiles.names(directory)) {
        if (LEFTOVER.matcher(name).matches()) {
          BackupFiles.delete(directory.resolve(name));
        }
      }
      Backup added = addLocked(checkpoint, store, time, watch);
      if (keep > 0) {
        removeAllBut(keep, added.generation());
      }
      return added;
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private Backup addLocked(Path checkpoint, String store, Instant time, Backups.Watch watch)
      throws IOException {
    List<Long> earlier = backups.list();
    long number = earlier.isEmpty() ? 1 : earlier.get(earlier.size() - 1) + 1;
    Former former = newestReadable(earlier);
    if (former != null && !former.manifest().store().equals(store)) {
      throw BackupDirectory.rejected(directory + " has the backups of another store");
    }
    Path temporary = temporary(number);
    boolean isComplete = false;
    try {
      Files.createDirectory(temporary);
      Map<String, Content> files = new LinkedHashMap<>();
      long copied = 0;
      long linked = 0;
      List<String> names = BackupFiles.names(checkpoint);
      WatchedReading reading = WatchedReading.of(checkpoint, names, watch);
      for (String name : names) {
        Path from = checkpoint.resolve(name);
        Path to = temporary.resolve(name);
        Content same = former == null ? null : link(from, former, to, reading);
        Content content = same == null ? BackupFiles.copy(from, to, reading) : same;
        files.put(name, content);
        copied += same == null ? content.size() : 0;
        linked += same == null ? 0 : content.size();
      }
      new BackupManifest(store, time, files).write(temporary);
      BackupFiles.force(temporary);
      Files.move(temporary, backups.path(number), StandardCopyOption.ATOMIC_MOVE);
      isComplete = true;
      BackupFiles.force(directory);
      return new Backup(number, files.size(), copied, linked);
    } finally {
      if (!isComplete) {
        BackupDirectory.tryDelete(temporary);
      }
    }
  }

  /**
   * Links a file of the backup before if it has the content of a file; null if it has not.
   *
   * <p>The names alone are not enough: a store that was restored gives new files the numbers of
   * others that it had before.
   */
  private static @Nullable Content link(Path file, Former former, Path to, WatchedReading reading)
      throws IOException {
    String name = String.valueOf(file.getFileName());
    Path same = former.path().resolve(name);
    Content expected = former.manifest().files().get(name);
    if (expected == null
        || !FIXED.matcher(name).matches()
        || Files.size(file) != expected.size()
        || !Files.exists(same)
        || Files.size(same) != expected.size()
        || !BackupFiles.read(file, reading).equals(expected)) {
      return null;
    }
    try {
      Files.createLink(to, same);
      return expected;
    } catch (UnsupportedOperationException | FileSystemException e) {
      return null; // not possible there, or too many: it is copied
    }
  }

  private void removeAllBut(int keep, long added) {
    try {
      List<Long> all = backups.list();
      for (long number : all.subList(0, Math.max(0, all.size() - keep))) {
        remove(number);
      }
    } catch (IOException e) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "backup "
              + added
              + " is complete, but older ones can't be removed: "
              + RocksDbErrors.reason(e),
          e);
    }
  }

  /** Removes a backup, which after an interruption is not taken for a whole one. */
  private void remove(long number) throws IOException {
    Path removed = temporary(number);
    Files.move(backups.path(number), removed, StandardCopyOption.ATOMIC_MOVE);
    BackupFiles.force(directory);
    BackupFiles.delete(removed);
  }

  /** The newest backup whose list of files can be read; null without one. */
  private @Nullable Former newestReadable(List<Long> numbers) throws IOException {
    for (int i = numbers.size() - 1; i >= 0; i--) {
      Path path = backups.path(numbers.get(i));
      try {
        BackupManifest manifest = BackupManifest.read(path);
        if (manifest != null) {
          return new Former(path, manifest);
        }
      } catch (NoSuchFileException e) {
        // It is useless, as verify says.
      }
    }
    return null;
  }

  private Path temporary(long number) {
    return directory.resolve(BackupDirectory.name(number) + ".tmp");
  }
}
