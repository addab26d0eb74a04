package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.rocksdb.BackupFiles.Content;

/**
 * A directory with the backups of one RocksDB store. Each is a directory, named by its number, that
 * has all files of the store. No file of a backup ever changes: files of several backups may be the
 * same one, by hard links. {@link BackupWriter} adds them. Thread-safe.
 */
public final class BackupDirectory {
  private static final Pattern NUMBER = Pattern.compile("\\d{6,18}");
  private static final String RESTORING = "restore.tmp";

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
   * The numbers of the backups, ascending.
   *
   * @throws StoreException if there is no such directory
   */
  public List<Long> numbers() {
    try {
      if (!Files.isDirectory(directory)) {
        throw new NoSuchFileException(directory.toString());
      }
      return list();
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
    BackupManifest manifest = manifest(number);
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
                  problems.add(fault(number, name, content, found));
                }
              } catch (IOException e) {
                problems.add("backup " + name(number) + ": " + RocksDbErrors.reason(e));
              }
            });
    return problems;
  }

  /**
   * Copies a backup to the place of a store, and compares it with its checksums. The store can be
   * opened only once all of it is there; if something is wrong, nothing is left of it.
   *
   * @param store a directory that is empty or does not exist
   * @throws StoreException REJECTED if it is not empty, or the backup is corrupt; NOT_APPLIED if
   *     its disk has no room for it
   */
  public Generation restore(long number, Path store) {
    BackupManifest manifest = manifest(number);
    List<Path> moved = new ArrayList<>();
    Path temporary = store.resolve(RESTORING);
    boolean isComplete = false;
    prepare(store);
    try {
      checkRoom(number, manifest.bytes(), store);
      for (Map.Entry<String, Content> file : manifest.files().entrySet()) {
        String name = file.getKey();
        Content found = BackupFiles.copy(path(number).resolve(name), temporary.resolve(name));
        if (!found.equals(file.getValue())) {
          throw rejected(
              fault(number, name, file.getValue(), found)
                  + "; nothing was restored, but another generation may be whole");
        }
      }
      List<String> names = new ArrayList<>(manifest.files().keySet());
      names.remove(StoreFiles.CURRENT);
      names.add(StoreFiles.CURRENT); // without which there is no store yet
      for (String name : names) {
        if (name.equals(StoreFiles.CURRENT)) {
          BackupFiles.force(store);
        }
        Path file = store.resolve(name);
        moved.add(file);
        Files.move(temporary.resolve(name), file, StandardCopyOption.ATOMIC_MOVE);
      }
      BackupFiles.force(store);
      isComplete = true;
      BackupFiles.delete(temporary);
      return generation(number);
    } catch (IOException e) {
      throw failed("can't be restored to " + store, e);
    } finally {
      if (!isComplete) {
        tryDelete(temporary);
        Collections.reverse(moved); // CURRENT first
        moved.forEach(BackupDirectory::tryDelete);
      }
    }
  }

  private static void checkRoom(long number, long bytes, Path store) throws IOException {
    long free = Files.getFileStore(store).getUsableSpace();
    if (free < bytes) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "backup %s has %d bytes, but only %d are free for %s; nothing was restored"
              .formatted(name(number), bytes, free, store));
    }
  }

  private void prepare(Path store) {
    try {
      BackupFiles.create(store);
      List<String> others = BackupFiles.names(store);
      others.removeAll(List.of(RESTORING, "lost+found"));
      if (!others.isEmpty()) {
        throw rejected(
            store
                + " is not empty, it has "
                + RocksDbErrors.oneLine(others.get(0))
                + (others.size() > 1 ? " and " + (others.size() - 1) + " more" : "")
                + ": a backup is restored only to an empty place");
      }
      BackupFiles.delete(store.resolve(RESTORING));
      Files.createDirectory(store.resolve(RESTORING));
    } catch (FileAlreadyExistsException e) {
      throw rejected(store + " is not a directory");
    } catch (IOException e) {
      throw failed("can't be restored to " + store, e);
    }
  }

  List<Long> list() throws IOException {
    return BackupFiles.names(directory).stream()
        .filter(name -> NUMBER.matcher(name).matches())
        .map(Long::valueOf)
        .sorted()
        .toList();
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

  static String name(long number) {
    return String.format(Locale.ROOT, "%06d", number);
  }

  private static String fault(long number, String name, Content expected, Content found) {
    return "backup "
        + name(number)
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
