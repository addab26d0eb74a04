package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Backups.Backup;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.rocksdb.BackupFiles.Content;
import org.jspecify.annotations.Nullable;

/**
 * Adds backups to a directory, and removes old ones, one at a time, by whichever process. A backup
 * appears, and disappears, by one renaming: until it is complete, and when it is no more, it has
 * the {@linkplain BackupContents#unfinished(long) name} of an unfinished one, which the next backup
 * deletes. Nothing else in the directory is changed.
 */
final class BackupWriter {
  private final Path directory;
  private final long reserve;

  /**
   * @param reserve how many bytes of the store's disk must stay free
   */
  BackupWriter(Path directory, long reserve) {
    this.directory = directory;
    this.reserve = reserve;
  }

  /**
   * Adds a backup.
   *
   * @param checkpoint a directory with the files of the store, on its disk, which don't change
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
                directory.resolve(BackupContents.LOCK),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = lock(channel)) {
      if (lock == null) {
        throw new StoreException(
            Outcome.NOT_APPLIED, "another backup to " + directory + " is in progress");
      }
      BackupContents contents = BackupContents.of(directory);
      for (String name : contents.unfinished()) {
        BackupFiles.delete(directory.resolve(name));
      }
      if (contents.readable().values().stream().anyMatch(each -> !each.store().equals(store))) {
        throw BackupDirectory.rejected(directory + " has the backups of another store");
      }
      Backup added = addLocked(checkpoint, store, time, contents, watch);
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

  private Backup addLocked(
      Path checkpoint, String store, Instant time, BackupContents contents, Backups.Watch watch)
      throws IOException {
    long number = next(contents);
    FormerBackup former = FormerBackup.newest(directory, contents);
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (String name : BackupFiles.names(checkpoint)) {
      sizes.put(name, Files.size(checkpoint.resolve(name)));
    }
    long all = sizes.values().stream().mapToLong(Long::longValue).sum();
    WatchedReading reading = new WatchedReading(watch, all);
    BackupRoom room = BackupRoom.in(directory, checkpoint, reserve);
    room.check(former.bytesToCopy(sizes));
    Path temporary = directory.resolve(BackupContents.unfinished(number));
    boolean isComplete = false;
    try {
      Files.createDirectory(temporary);
      Map<String, Content> files = new LinkedHashMap<>();
      long copied = 0;
      for (String name : List.copyOf(sizes.keySet())) {
        Path from = checkpoint.resolve(name);
        Path to = temporary.resolve(name);
        Content content = former.link(from, to, reading);
        if (content == null) {
          room.check(former.bytesToCopy(sizes)); // others write to the disk, too
          content = BackupFiles.copy(from, to, reading);
          copied += content.size();
        }
        files.put(name, content);
        sizes.remove(name);
      }
      BackupManifest manifest = new BackupManifest(store, time, files);
      manifest.write(temporary);
      BackupFiles.force(temporary);
      Files.move(temporary, path(number), StandardCopyOption.ATOMIC_MOVE);
      isComplete = true;
      BackupFiles.force(directory);
      return new Backup(
          number, files.size(), copied, manifest.bytes() - copied, contents.leftAlone());
    } finally {
      if (!isComplete) {
        BackupDirectory.tryDelete(temporary);
      }
    }
  }

  /** The number of a new backup, whose name nothing else has. */
  private long next(BackupContents contents) {
    List<Long> earlier = contents.numbers();
    long number = earlier.isEmpty() ? 1 : earlier.get(earlier.size() - 1) + 1;
    while (Files.exists(path(number), LinkOption.NOFOLLOW_LINKS)) {
      number++;
    }
    return number;
  }

  /** Removes the oldest of the backups that are not corrupt; nothing is known of the others. */
  private void removeAllBut(int keep, long added) {
    try {
      List<Long> all = List.copyOf(BackupContents.of(directory).readable().keySet());
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
    Path removed = directory.resolve(BackupContents.unfinished(number));
    Files.move(path(number), removed, StandardCopyOption.ATOMIC_MOVE);
    BackupFiles.force(directory);
    BackupFiles.delete(removed);
  }

  private Path path(long number) {
    return directory.resolve(BackupContents.name(number));
  }
}
