package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.rocksdb.BackupFiles.Content;
import org.jspecify.annotations.Nullable;

/**
 * Makes a store of a backup, in an empty place. All files are copied to a directory there, with
 * their list, and then moved, the one without which there is no store last. So what an interruption
 * leaves is no store, and the next restoration knows which files it may delete.
 */
final class BackupRestoration {
  /** The directory that the files are copied to. */
  static final String COPIED = "hourstone-restore.tmp";

  private final Path backup;
  private final BackupManifest manifest;
  private final Path store;
  private final Path copied;

  /**
   * @param backup its directory
   * @param store a directory that is empty or does not exist
   */
  BackupRestoration(Path backup, BackupManifest manifest, Path store) {
    this.backup = backup;
    this.manifest = manifest;
    this.store = store;
    this.copied = store.resolve(COPIED);
  }

  /** If it fails, nothing is left of it. */
  void run() throws IOException {
    boolean isNew = Files.notExists(store, LinkOption.NOFOLLOW_LINKS);
    try {
      prepare();
      copyAndMove();
      isNew = false;
    } finally {
      if (isNew) {
        removeIfEmpty();
      }
    }
  }

  private void removeIfEmpty() {
    try {
      Files.deleteIfExists(store);
    } catch (IOException e) {
      // The reason why it has failed matters more.
    }
  }

  private void copyAndMove() throws IOException {
    List<Path> moved = new ArrayList<>();
    boolean isComplete = false;
    try {
      copy();
      List<String> names = new ArrayList<>(manifest.files().keySet());
      names.remove(StoreFiles.CURRENT);
      names.add(StoreFiles.CURRENT);
      for (String name : names) {
        if (name.equals(StoreFiles.CURRENT)) {
          BackupFiles.force(store);
        }
        Path file = store.resolve(name);
        moved.add(file);
        Files.move(copied.resolve(name), file, StandardCopyOption.ATOMIC_MOVE);
      }
      BackupFiles.force(store);
      isComplete = true;
      BackupFiles.delete(copied);
    } finally {
      if (!isComplete) {
        Collections.reverse(moved); // CURRENT first
        moved.forEach(BackupDirectory::tryDelete);
        BackupDirectory.tryDelete(copied);
      }
    }
  }

  private void copy() throws IOException {
    String name = String.valueOf(backup.getFileName());
    long free = BackupRoom.free(store);
    if (free < manifest.bytes()) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "backup %s has %d bytes, but only %d are free for %s; nothing was restored"
              .formatted(name, manifest.bytes(), free, store));
    }
    BackupFiles.copy(backup.resolve(BackupManifest.FILE), copied.resolve(BackupManifest.FILE));
    BackupFiles.force(copied);
    for (Map.Entry<String, Content> file : manifest.files().entrySet()) {
      Content found =
          BackupFiles.copy(backup.resolve(file.getKey()), copied.resolve(file.getKey()));
      if (!found.equals(file.getValue())) {
        throw BackupDirectory.rejected(
            BackupDirectory.fault(name, file.getKey(), file.getValue(), found)
                + "; nothing was restored, but another generation may be whole");
      }
    }
  }

  private void prepare() throws IOException {
    try {
      BackupFiles.create(store);
      List<String> names = BackupFiles.names(store);
      names.removeAll(List.of(COPIED, "lost+found"));
      List<String> leftovers = leftovers();
      List<String> others = new ArrayList<>(names);
      others.removeAll(leftovers);
      if (!others.isEmpty()) {
        throw BackupDirectory.rejected(
            store
                + " is not empty, it has "
                + RocksDbErrors.oneLine(others.get(0))
                + (others.size() > 1 ? " and " + (others.size() - 1) + " more" : "")
                + ": a backup is restored only to an empty place");
      }
      for (String name : names) {
        Files.delete(store.resolve(name));
      }
      BackupFiles.delete(copied);
      Files.createDirectory(copied);
    } catch (FileAlreadyExistsException e) {
      throw BackupDirectory.rejected(store + " is not a directory");
    }
  }

  /** The files that an interrupted restoration has already moved; none if it was complete. */
  private List<String> leftovers() throws IOException {
    List<String> names = new ArrayList<>();
    BackupManifest interrupted = listed();
    if (interrupted == null || Files.exists(store.resolve(StoreFiles.CURRENT))) {
      return names;
    }
    for (Map.Entry<String, Content> file : interrupted.files().entrySet()) {
      Path moved = store.resolve(file.getKey());
      if (Files.isRegularFile(moved, LinkOption.NOFOLLOW_LINKS)
          && Files.size(moved) == file.getValue().size()) {
        names.add(file.getKey());
      }
    }
    return names;
  }

  private @Nullable BackupManifest listed() throws IOException {
    try {
      return BackupManifest.read(copied);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
