package org.hourstone.tsd.session;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreUri;
import org.hourstone.tsd.terminal.ShellWord;
import org.jspecify.annotations.Nullable;

/** The directory of a RocksDB store, before it is opened. */
public final class RocksDbPlace {
  private static final String HINT = "; ?readonly=";
  private static final String IN_PART = HINT + "partial";

  private RocksDbPlace() {}

  /** The directory of a RocksDB store; null for other kinds of stores. */
  public static @Nullable Path directory(StoreUri uri) {
    if (!uri.scheme().equals("rocksdb")) {
      return null;
    }
    String location = uri.location().isEmpty() ? "./data" : uri.location();
    try {
      return Path.of(location.startsWith("//") ? location.substring(2) : location);
    } catch (InvalidPathException e) {
      throw Problem.badPath(e);
    }
  }

  /** The real path of a directory; its absolute path if it does not exist. */
  static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      return directory.toAbsolutePath().normalize();
    }
  }

  /**
   * @throws CommandException if it is a RocksDB store that does not exist
   */
  static void checkExists(StoreUri uri) {
    Path directory = directory(uri);
    if (directory != null && isEmpty(directory)) {
      throw new CommandException(
          "no data in "
              + directory
              + " yet; to store some there: "
              + ProgramName.get()
              + " --store "
              + uri
              + " import FILE");
    }
  }

  /**
   * What to do if a store that was just made is root's, in a directory of another user, such as
   * that of a daemon, who can't open it; null if it is not, or that is not known.
   */
  public static @Nullable String foreign(Path directory) {
    try {
      Path own = real(directory);
      Path parent = own.getParent();
      Path given = isOfRoot(own) && parent != null ? parent : own;
      return isOfRoot(own.resolve("CURRENT")) && !isOfRoot(given)
          ? "%s is the directory of the user %s, who can't open the store that root has made: chown -R --reference=%s %s"
              .formatted(
                  given,
                  Files.getOwner(given).getName(),
                  ShellWord.of(given.toString()),
                  ShellWord.of(own.toString()))
          : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isOfRoot(Path file) throws IOException {
    return Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid"));
  }

  /** Whether nothing of a store is in a directory, so that opening it makes one. */
  static boolean isNew(StoreUri uri) {
    Path directory = directory(uri);
    return directory != null && isEmpty(directory);
  }

  /**
   * Whether no file in a directory belongs to a store. A corrupt store is not empty, so that
   * opening it reports the corruption.
   */
  private static boolean isEmpty(Path directory) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "{CURRENT,MANIFEST-*,*.sst,*.log}")) {
      return !files.iterator().hasNext();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return true;
    } catch (IOException e) {
      return false; // opening it will report the reason
    }
  }

  /**
   * How a store can be read that can't be opened now.
   *
   * @param mode the value of the parameter {@code readonly}
   */
  record Reading(String reason, String mode) {}

  /**
   * How a store can be read; throws the exception if opening it only for reading is no help.
   *
   * @param inPart whether a part of the store is enough
   */
  static Reading reading(StoreUri uri, StoreException e, boolean inPart) {
    String message = String.valueOf(e.getMessage());
    boolean isPartial = inPart && message.contains(IN_PART);
    boolean temporary = e.outcome() == StoreException.Outcome.NOT_APPLIED;
    if ((!temporary && !isPartial)
        || directory(uri) == null
        || uri.parameter("readonly") != null
        || uri.parameter("recover") != null) {
      throw e;
    }
    int hint = message.indexOf(HINT);
    String reason = hint < 0 ? message : message.substring(0, hint);
    return new Reading(reason, isPartial ? "partial" : "true");
  }
}
