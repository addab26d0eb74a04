package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.StoreException;
import org.rocksdb.RocksDBException;

/**
 * The files of a store's directory, before it is opened. A store is created only in a directory
 * that is empty or contains only files of an earlier attempt that stored nothing. RocksDB itself
 * would create a new database among any files, and even overwrite its own.
 */
final class StoreFiles {
  /** The file that RocksDB creates when a new database is complete. */
  static final String CURRENT = "CURRENT";

  private static final Pattern LOG = Pattern.compile("(\\d+)\\.log");
  private static final Pattern DATA = Pattern.compile("\\d+\\.(sst|log|blob)");

  /**
   * Files without data. {@code lost+found} is in the root of many file systems, and so of a mounted
   * disk.
   */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "lost\\+found|LOCK|LOG|LOG\\.old\\.\\d+|IDENTITY|MANIFEST-\\d+|OPTIONS-\\d+|(.+\\.)?dbtmp|"
              + AcknowledgedChanges.FILE
              + "|"
              + Pattern.quote(NativeLibrary.DIRECTORY));

  /** A log that the next log does not name as its predecessor. */
  private static final Pattern UNEXPECTED_LOG =
      Pattern.compile("Mismatched predecessor log number of WAL file .* Observed (\\d+)");

  private static final int NAMED = 5;

  private StoreFiles() {}

  /** The write-ahead logs, ascending by number. */
  static SortedMap<Long, Path> logs(Path directory) throws IOException {
    SortedMap<Long, Path> logs = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Matcher matcher = LOG.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          logs.put(Long.valueOf(matcher.group(1)), file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return logs;
  }

  /** The number of the newest write-ahead log; 0 if it is not known. */
  static long newestLog(Path directory) {
    try {
      SortedMap<Long, Path> logs = logs(directory);
      return logs.isEmpty() ? 0 : logs.lastKey();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The names of the files that change while a process writes. */
  static Set<String> names(Path directory) {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    } catch (IOException | DirectoryIteratorException e) {
      // Reported by whatever needs them.
    }
    return names;
  }

  /** Ensures that the directory contains a database. */
  static void checkPresent(Path directory, RocksDbErrors errors) {
    try {
      Files.readAttributes(directory.resolve(CURRENT), BasicFileAttributes.class);
      return;
    } catch (NoSuchFileException e) {
      // There is no store.
    } catch (IOException e) {
      throw errors.directory(e);
    }
    if (names(directory).stream().anyMatch(name -> DATA.matcher(name).matches())) {
      throw noCurrent(errors);
    }
    throw errors.rejected("there is no store to read");
  }

  private static StoreException noCurrent(RocksDbErrors errors) {
    return errors.rejected(
        "corrupt: the directory contains RocksDB's data files but not its file " + CURRENT);
  }

  /**
   * The process that has a store open; empty if it can't be determined, which is possible only on
   * Linux.
   */
  static Optional<Long> holder(Path directory) {
    try {
      Object inode = Files.getAttribute(directory.resolve("LOCK"), "unix:ino");
      for (String lock : Files.readAllLines(Path.of("/proc/locks"))) {
        String[] words = lock.strip().split("\\s+");
        // 1: POSIX ADVISORY WRITE PID MAJOR:MINOR:INODE START END
        if (words.length > 5 && words[5].endsWith(":" + inode)) {
          return Optional.of(Long.valueOf(words[4]));
        }
      }
    } catch (IOException | RuntimeException e) {
      // It is not known.
    }
    return Optional.empty();
  }

  /**
   * Called after a failure to open: removes a log that RocksDB did not expect, if it is empty. If a
   * log could not be begun for lack of space, its file remains but is unknown to the next log, and
   * RocksDB interprets this as the loss of a log between them.
   *
   * @return whether the log was removed, so that opening may be tried again
   */
  static boolean removeEmptyLog(Path directory, RocksDBException failure) {
    Matcher unexpected = UNEXPECTED_LOG.matcher(String.valueOf(failure.getMessage()));
    if (!unexpected.find()) {
      return false;
    }
    Path log =
        directory.resolve(
            String.format(Locale.ROOT, "%06d.log", Long.parseLong(unexpected.group(1))));
    try {
      return Files.size(log) == 0 && Files.deleteIfExists(log);
    } catch (IOException e) {
      return false; // the failure remains
    }
  }

  /** The total size of all files; a file that is deleted concurrently may or may not be counted. */
  static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        try {
          bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
          // It was merged into another.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return bytes;
  }

  /**
   * Ensures that the directory exists and is suitable for a store.
   *
   * @return whether there is no database in it yet
   */
  static boolean prepare(Path directory, RocksDbErrors errors) {
    try {
      Files.createDirectories(directory);
      if (Files.exists(directory.resolve(CURRENT))) {
        return false;
      }
      TreeSet<String> foreign = new TreeSet<>();
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          String name = file.getFileName().toString();
          if (DATA.matcher(name).matches()) {
            throw noCurrent(errors);
          }
          if (!HARMLESS.matcher(name).matches()) {
            foreign.add(name);
          }
        }
      }
      if (!foreign.isEmpty()) {
        List<String> first = foreign.stream().limit(NAMED).map(RocksDbErrors::oneLine).toList();
        throw errors.rejected(
            "the directory holds no store, but other files: "
                + String.join(", ", first)
                + (foreign.size() > NAMED ? " and " + (foreign.size() - NAMED) + " more" : "")
                + "; a store is created only in an empty directory");
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      throw errors.rejected("not a directory: " + e.getFile(), e);
    } catch (IOException e) {
      throw errors.directory(e);
    } catch (DirectoryIteratorException e) {
      throw errors.directory(new IOException(e));
    }
  }
}
