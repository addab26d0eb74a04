package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;

/**
 * Opens a store whose write-ahead logs are not complete, with the changes before the first one that
 * is missing. Later changes are dropped, also those that could be read: a change may depend on one
 * before it, as a point does on the UID of its series, and a UID that seems to be free would be
 * assigned again.
 *
 * <p>Nothing is destroyed: the logs as they were are in a subdirectory afterwards. If the store
 * can't be opened all the same, they are put back.
 */
final class LogRecovery {
  private static final System.Logger LOG = System.getLogger("org.hourstone.kv.rocksdb");
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'dropped-'uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final RocksDbErrors errors;
  private final Path dropped;
  private final List<Path> moved = new ArrayList<>();

  /** The number of the last change in a log that is kept. */
  private long kept;

  private LogRecovery(Path directory, RocksDbErrors errors) {
    this.directory = directory;
    this.errors = errors;
    this.dropped = directory.resolve(NAME.format(Instant.now()));
  }

  /** Opens the store for writing, if necessary without its last changes. */
  static Database recover(
      Path directory, RocksDbOptions options, LogCheck check, long now, RocksDbErrors errors) {
    if (!check.isCurrent()) {
      throw check.explain(errors.rejected("can't be recovered"));
    }
    List<WriteAheadLog> all = check.logs(0);
    State state =
        all.stream().anyMatch(WriteAheadLog::endless)
            ? new State(all.get(0).number(), 0)
            : state(directory, options, errors);
    List<WriteAheadLog> logs = check.logs(state.needed);
    LogCheck.Fault fault = check.fault(logs, state.needed, state.last);
    LogRecovery recovery = new LogRecovery(directory, errors);
    try {
      if (fault != null) {
        recovery.drop(logs, fault.index());
      }
      Database opened = DatabaseOpening.open(directory, options, false, now, null, errors);
      if (fault != null) {
        recovery.report(fault);
      }
      return opened;
    } catch (IOException e) {
      recovery.undo();
      throw errors.directory(e);
    } catch (StoreException e) {
      recovery.undo();
      throw e;
    }
  }

  /** What is in the table files and in every log that can be read; as far as it is known. */
  private record State(long needed, long last) {}

  private static State state(Path directory, RocksDbOptions options, RocksDbErrors errors) {
    RocksDbOptions reading = options.recover(false).readOnly(true);
    return DatabaseOpening.peek(
        directory,
        reading,
        tuning -> tuning.setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords),
        db -> {
          try {
            return new State(
                db.getLongProperty("rocksdb.min-log-number-to-keep"), db.getLatestSequenceNumber());
          } catch (RocksDBException e) {
            throw errors.read("cannot read its state", e);
          }
        },
        errors);
  }

  private void drop(List<WriteAheadLog> logs, int from) throws IOException {
    Files.createDirectory(dropped);
    move(directory.resolve(AcknowledgedChanges.FILE));
    for (int i = 0; i < logs.size(); i++) {
      WriteAheadLog log = logs.get(i);
      boolean keeps = i < from && !(from < logs.size() && isOther(log, logs.get(from)));
      if (!keeps && (i != from || log.flaw() == null || log.isEmpty() || !follows(logs, i))) {
        move(log.file());
      } else {
        if (!keeps) {
          cut(log);
        }
        kept = Math.max(kept, log.last());
      }
    }
  }

  /** A log that is longer than its successor knows is not the one that was written. */
  private static boolean isOther(WriteAheadLog log, WriteAheadLog next) {
    WriteAheadLog.Predecessor known = next.predecessor();
    return known != null && known.number() == log.number() && known.lastRecord() < log.lastRecord();
  }

  /** Whether only the end of a log is at fault. */
  private static boolean follows(List<WriteAheadLog> logs, int index) {
    return index == 0 || logs.get(index).first() <= logs.get(index - 1).last() + 1;
  }

  private void move(Path file) throws IOException {
    if (Files.exists(file)) {
      Files.move(file, dropped.resolve(file.getFileName()));
      moved.add(file);
    }
  }

  /** Keeps the beginning of a log. */
  private void cut(WriteAheadLog log) throws IOException {
    move(log.file());
    Files.copy(dropped.resolve(log.file().getFileName()), log.file());
    try (FileChannel file = FileChannel.open(log.file(), StandardOpenOption.WRITE)) {
      file.truncate(log.end());
      file.force(true);
    }
  }

  private void report(LogCheck.Fault fault) {
    LOG.log(
        Level.WARNING,
        "RocksDB store {0}: opened with recover=prefix without the changes after {1}, except those in"
            + " table files, since {2}; the logs as they were are in {3}",
        errors.named(directory.toString()),
        Long.toString(kept),
        errors.named(fault.text()),
        errors.named(dropped.toString()));
  }

  private void undo() {
    try {
      for (Path file : moved) {
        Files.move(dropped.resolve(file.getFileName()), file, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.deleteIfExists(dropped);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "RocksDB store {0}: can''t put the logs back that are in {1}: {2}",
          errors.named(directory.toString()),
          errors.named(dropped.toString()),
          errors.named(RocksDbErrors.reason(e)));
    }
  }
}
