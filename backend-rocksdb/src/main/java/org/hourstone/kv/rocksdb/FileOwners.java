package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whose the files of a store are. What root makes in the store of another user is root's, and that
 * user, such as the one of a daemon, can't open it afterwards.
 */
final class FileOwners {
  private static final String UID = "unix:uid";
  private static final Integer ROOT = 0;

  /** RocksDB deletes files with such names when it opens a database. */
  private static final String PROBE = "000001.dbtmp";

  private FileOwners() {}

  /**
   * Refuses to write as root to a store that is another user's. Must not be called while another
   * process has it open.
   *
   * @param directory of a store that exists
   */
  static void check(Path directory, RocksDbErrors errors) {
    try {
      Path current = directory.resolve("CURRENT");
      // What counts is whose the new files are: some file systems give all files to one user.
      if (!ROOT.equals(uid(current)) && isMadeByRoot(directory)) {
        throw errors.ofOther(Files.getOwner(current).getName());
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // Not known; opening the store shows whether it can be used.
    }
  }

  private static boolean isMadeByRoot(Path directory) throws IOException {
    Path probe = directory.resolve(PROBE);
    try {
      Files.deleteIfExists(probe);
      Files.createFile(probe);
      return ROOT.equals(uid(probe));
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  private static Object uid(Path file) throws IOException {
    return Files.getAttribute(file, UID);
  }

  /**
   * The owners of a store's directory and files, but for the user of this process; empty if there
   * are no others, or they are not known.
   */
  static String others(Path directory) {
    Set<String> owners = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      owners.add(Files.getOwner(directory).getName());
      for (Path file : files) {
        owners.add(Files.getOwner(file).getName());
      }
    } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
      // Those that are known may explain it.
    }
    owners.remove(user());
    return String.join(", ", owners);
  }

  /** The name of the user of this process. */
  static String user() {
    return System.getProperty("user.name");
  }
}
