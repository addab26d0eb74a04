package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.hourstone.kv.rocksdb.BackupFiles.Content;
import org.jspecify.annotations.Nullable;

/** The files that a new backup may share with the one before it. For one thread. */
final class FormerBackup {
  /** The files that RocksDB never changes. */
  private static final Pattern FIXED = Pattern.compile("\\d+\\.(sst|blob)");

  private final Path path;

  /** Those that may still be shared, by name. */
  private final Map<String, Content> files;

  private FormerBackup(Path path, Map<String, Content> files) {
    this.path = path;
    this.files = files;
  }

  /** The newest backup whose list of files can be read; without one, nothing is shared. */
  static FormerBackup newest(Path directory, BackupContents contents) throws IOException {
    Map<String, Content> files = new HashMap<>();
    if (contents.readable().isEmpty()) {
      return new FormerBackup(directory, files);
    }
    long number = contents.readable().lastKey();
    Path path = directory.resolve(BackupContents.name(number));
    BackupManifest manifest = BackupManifest.read(path);
    if (manifest == null) {
      throw new IOException(path + " has changed while it was read");
    }
    manifest
        .files()
        .forEach(
            (name, content) -> {
              if (FIXED.matcher(name).matches() && size(path.resolve(name)) == content.size()) {
                files.put(name, content);
              }
            });
    return new FormerBackup(path, files);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return -1; // it is missing, as verify says
    }
  }

  /**
   * How many bytes must be copied, as far as names and sizes show.
   *
   * @param sizes of the store's files, by name
   */
  long bytesToCopy(Map<String, Long> sizes) {
    long bytes = 0;
    for (Map.Entry<String, Long> file : sizes.entrySet()) {
      Content same = files.get(file.getKey());
      bytes += same == null || same.size() != file.getValue() ? file.getValue() : 0;
    }
    return bytes;
  }

  /**
   * Links the file of the same name if it has the content of a file of the store; null if it has
   * not, or can't be linked.
   *
   * <p>The names alone are not enough: a store that was restored gives new files the numbers of
   * others that it had before.
   */
  @Nullable Content link(Path file, Path to, IntConsumer reading) throws IOException {
    String name = String.valueOf(file.getFileName());
    Content expected = files.get(name);
    if (expected == null) {
      return null;
    }
    if (Files.size(file) != expected.size() || !BackupFiles.read(file, reading).equals(expected)) {
      files.remove(name);
      return null;
    }
    try {
      Files.createLink(to, path.resolve(name));
      return expected;
    } catch (UnsupportedOperationException | FileSystemException e) {
      files.clear(); // not possible there, or too many: all are copied
      return null;
    }
  }
}
