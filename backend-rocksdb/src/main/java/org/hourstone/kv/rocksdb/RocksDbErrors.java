package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Maps the failures of a store to {@link StoreException}s with a message of one line that names the
 * directory.
 */
final class RocksDbErrors {
  private static final Pattern TABLE = Pattern.compile("\\d+\\.sst");
  private static final String READ_ONLY = "Not supported operation in read only mode";
  private static final String NO_FILE = "No such file or directory";
  private static final String IN_PART = "; ?readonly=partial reads what is in the others";

  private final Path directory;
  private final String store;

  RocksDbErrors(Path directory) {
    this.directory = directory;
    this.store = "RocksDB store " + directory;
  }

  /** The message of one of these failures, without the store. */
  String reason(StoreException e) {
    String message = String.valueOf(e.getMessage());
    String prefix = store + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  /** Writes are refused for the time being. */
  StoreException unavailable(String reason) {
    return new StoreException(Outcome.NOT_APPLIED, store + ": writes are refused: " + reason);
  }

  /** Something was written that may be lost, since the files were replaced. */
  StoreException lost(String reason) {
    return new StoreException(Outcome.UNKNOWN, store + ": " + reason);
  }

  /** The store is being opened again, which has failed so far. */
  StoreException unreadable(String reason) {
    return new StoreException(Outcome.NOT_APPLIED, store + ": can't be read: " + reason);
  }

  /** This process has the directory open for writing. */
  StoreException alreadyOpen(@Nullable Throwable cause) {
    return new StoreException(
        Outcome.NOT_APPLIED, store + " is already open in this process", cause);
  }

  /** A write failed. */
  StoreException write(RocksDBException e) {
    Outcome outcome = certain(e);
    return failed("cannot write", outcome == null ? Outcome.UNKNOWN : outcome, e);
  }

  /** An operation failed before any change was attempted: a read, or the preparation of a write. */
  StoreException read(String what, RocksDBException e) {
    Outcome outcome = certain(e);
    return failed(what, outcome == null ? Outcome.NOT_APPLIED : outcome, e);
  }

  /**
   * Opening failed; distinguishes a directory that is in use from other errors.
   *
   * @param read whether it was opened only for reading
   */
  StoreException open(RocksDBException e, boolean read) {
    String message = message(e);
    if (message.contains("lock hold by current process")) {
      return alreadyOpen(e);
    }
    if (message.contains("While lock file")) {
      String holder = StoreFiles.holder(directory).map(pid -> ", PID " + pid).orElse("");
      return new StoreException(
          Outcome.NOT_APPLIED, store + " is in use by another process" + holder, e);
    }
    Matcher table = TABLE.matcher(message);
    if (table.find() && isUnreadable(e)) {
      boolean isMissing = message.contains(NO_FILE);
      return rejected(
          "the table file "
              + table.group()
              + (isMissing ? " is missing" : " is corrupt")
              + "; put it back as it was, or restore a backup"
              + IN_PART
              + (isMissing ? "" : ": " + message),
          e);
    }
    Status status = e.getStatus();
    return !read && status != null && status.getCode() == Status.Code.IOError
        ? new StoreException(
            Outcome.NOT_APPLIED, store + ": cannot open: " + message + whose(e) + toRead(), e)
        : read("cannot open", e);
  }

  /** The directory can't be used. */
  StoreException directory(IOException e) {
    return new StoreException(
        Outcome.NOT_APPLIED, store + ": " + unusable(e) + whose(e) + toRead(), e);
  }

  /** The directory is a backup: opening it for writing would replace and delete its files. */
  StoreException backup() {
    return new StoreException(
        Outcome.NOT_APPLIED,
        store + " is a backup, and never written to: restore makes a store of it" + toRead());
  }

  /** The store is another user's, and this process is root's. */
  StoreException ofOther(String owner) {
    boolean hasName = !owner.chars().allMatch(Character::isDigit);
    return new StoreException(
        Outcome.NOT_APPLIED,
        store
            + " belongs to the user "
            + owner
            + ", who can't open the files that root makes: run this as "
            + owner
            + (hasName ? ", such as by 'runuser -u " + owner + " -- …'" : "")
            + ", or make all of it root's by 'chown -R root'"
            + toRead());
  }

  /** Whose the files are, if it is the rights of this process that do not suffice. */
  private String whose(Exception e) {
    if (!(e instanceof AccessDeniedException)
        && !String.valueOf(e.getMessage()).contains("Permission denied")) {
      return "";
    }
    String others = FileOwners.others(directory);
    return others.isEmpty()
        ? ""
        : "; it has files of " + others + ", and this process runs as " + FileOwners.user();
  }

  /** The native library can't be unpacked. */
  StoreException noLibrary(IOException e) {
    return new StoreException(
        Outcome.NOT_APPLIED,
        store
            + ": cannot unpack RocksDB's native library: "
            + reason(e)
            + "; set java.io.tmpdir to a directory that can be written to",
        e);
  }

  /** As {@link #directory}, while the store is open. */
  StoreException inUse(IOException e) {
    return new StoreException(Outcome.NOT_APPLIED, store + ": " + unusable(e), e);
  }

  private String unusable(IOException e) {
    return "cannot use the directory: " + named(reason(e));
  }

  /** A text with the store's path instead of that by which RocksDB opens the files. */
  String named(String text) {
    return DirectoryDescriptor.named(text, directory);
  }

  /** What to do if a directory with a store can't be written to. */
  private String toRead() {
    return Files.exists(directory.resolve("CURRENT"))
        ? "; ?readonly=true reads what is stored"
        : "";
  }

  /** An error of the store or the call that will recur if the call is repeated. */
  StoreException rejected(String what) {
    return rejected(what, null);
  }

  /** An error of the store or the call that will recur if the call is repeated. */
  StoreException rejected(String what, @Nullable Throwable cause) {
    return new StoreException(Outcome.REJECTED, store + ": " + named(what), cause);
  }

  /** The stored value of a cell can't be read. */
  StoreException malformed(Family family, byte[] row, byte[] qualifier, Exception cause) {
    return rejected(
        "malformed cell in "
            + family
            + ", row "
            + HexFormat.of().formatHex(row)
            + ", qualifier "
            + HexFormat.of().formatHex(qualifier)
            + ": "
            + cause.getMessage(),
        cause);
  }

  private StoreException failed(String what, Outcome outcome, RocksDBException e) {
    if (String.valueOf(e.getMessage()).contains(READ_ONLY)) {
      return new StoreException(
          outcome, store + ": " + what + ": it is open only for reading (readonly)", e);
    }
    return new StoreException(outcome, store + ": " + what + ": " + message(e) + whose(e), e);
  }

  /** The outcome, if the status alone determines it; null if it depends on the operation. */
  private static @Nullable Outcome certain(RocksDBException e) {
    Status status = e.getStatus();
    if (status == null) {
      return null;
    }
    return switch (status.getCode()) {
      case Busy, TimedOut, TryAgain -> Outcome.NOT_APPLIED;
      case InvalidArgument, NotSupported, Corruption -> Outcome.REJECTED;
      default -> null;
    };
  }

  /**
   * Whether RocksDB may refuse every write after this one failed: all failures but those of this
   * write alone, or of a moment.
   */
  static boolean isLasting(RocksDBException e) {
    Status status = e.getStatus();
    return status == null
        || switch (status.getCode()) {
          case Busy, TimedOut, TryAgain, InvalidArgument, NotSupported, NotFound -> false;
          default -> true;
        };
  }

  /** Whether it failed because data is corrupt. */
  static boolean isCorruption(StoreException e) {
    return e.getCause() instanceof RocksDBException cause
        && cause.getStatus() != null
        && cause.getStatus().getCode() == Status.Code.Corruption;
  }

  /** Whether it failed because stored data is corrupt, or a table file is missing. */
  static boolean isUnreadable(StoreException e) {
    return e.getCause() instanceof RocksDBException cause && isUnreadable(cause);
  }

  private static boolean isUnreadable(RocksDBException e) {
    Status status = e.getStatus();
    String message = String.valueOf(e.getMessage());
    return status != null
        && (status.getCode() == Status.Code.Corruption
            || (status.getCode() == Status.Code.IOError
                && message.contains(NO_FILE)
                && TABLE.matcher(message).find()));
  }

  /** Whether it failed because the disk, or the user's share of it, was full. */
  static boolean isLackOfSpace(StoreException e) {
    return e.getCause() instanceof RocksDBException cause
        && cause.getStatus() != null
        && (isNoSpace(cause.getStatus(), String.valueOf(cause.getMessage()))
            || String.valueOf(cause.getMessage()).contains("Disk quota exceeded"));
  }

  private String message(RocksDBException e) {
    Status status = e.getStatus();
    String message = named(oneLine(String.valueOf(e.getMessage())));
    if (status == null) {
      return message;
    }
    String kind =
        isNoSpace(status, message) ? "no space left on the device" : status.getCode().toString();
    return message.isEmpty() ? kind : kind + ": " + innermost(message);
  }

  /** Without the statuses in which RocksDB has wrapped the one of the file system. */
  private static String innermost(String message) {
    int inner = message.lastIndexOf("IO error: ");
    return inner < 0 ? message : message.substring(inner + "IO error: ".length());
  }

  /** RocksDB loses the code if it can't write its options. */
  private static boolean isNoSpace(Status status, String message) {
    return status.getSubCode() == Status.SubCode.NoSpace
        || message.contains("No space left on device");
  }

  /** The reason why a file operation failed, as text for users. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + ": no such file";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getFile() + ": " + oneLine(failure.getReason());
    }
    String message = e.getMessage();
    return oneLine(e.getClass() == IOException.class && message != null ? message : e.toString());
  }

  static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
