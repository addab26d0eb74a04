package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HexFormat;
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
  /** The free space with which RocksDB is expected to write again. */
  private static final long ENOUGH_BYTES = 16 << 20;

  private final Path directory;
  private final String store;

  RocksDbErrors(Path directory) {
    this.directory = directory;
    this.store = "RocksDB store " + directory;
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

  /** Opening failed; distinguishes a directory that is in use from other errors. */
  StoreException open(RocksDBException e) {
    String message = message(e);
    if (message.contains("lock hold by current process")) {
      return new StoreException(Outcome.NOT_APPLIED, store + " is already open in this process", e);
    }
    if (message.contains("While lock file")) {
      String holder = StoreFiles.holder(directory).map(pid -> ", " + pid).orElse("");
      return new StoreException(
          Outcome.NOT_APPLIED, store + " is in use by another process" + holder, e);
    }
    return read("cannot open", e);
  }

  /** The directory can't be used. */
  StoreException directory(IOException e) {
    return new StoreException(
        Outcome.NOT_APPLIED, store + ": cannot use the directory: " + reason(e), e);
  }

  /** An error of the store or the call that will recur if the call is repeated. */
  StoreException rejected(String what) {
    return rejected(what, null);
  }

  /** An error of the store or the call that will recur if the call is repeated. */
  StoreException rejected(String what, @Nullable Throwable cause) {
    return new StoreException(Outcome.REJECTED, store + ": " + what, cause);
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
    return new StoreException(outcome, store + ": " + what + ": " + message(e), e);
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

  private String message(RocksDBException e) {
    Status status = e.getStatus();
    String message = e.getMessage();
    if (status == null) {
      return oneLine(String.valueOf(message));
    }
    String kind =
        status.getSubCode() == Status.SubCode.NoSpace ? noSpace() : status.getCode().toString();
    return message == null || message.isEmpty() ? kind : kind + ": " + oneLine(message);
  }

  /**
   * RocksDB resumes writing by itself once there is space, except if it had to begin a new log when
   * there was none. It doesn't report which is the case.
   */
  private String noSpace() {
    long free = directory.toFile().getUsableSpace();
    return free < ENOUGH_BYTES
        ? "no space left on the device"
        : "there was no space left on the device, which has "
            + free
            + " bytes now; if this lasts for a minute, the store has to be opened again";
  }

  /** The reason why a file operation failed, as text for users. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getFile() + ": " + oneLine(failure.getReason());
    }
    return oneLine(e.toString());
  }

  static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
