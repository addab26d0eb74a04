package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A store is opened only if every change that a process acknowledged is in a table file or in a
 * write-ahead log. RocksDB verifies that a log continues its predecessor if both were written by
 * one process; this verifies the rest: that the newest log is present, complete and of this store,
 * and that logs of several processes continue each other. Nothing is changed, so that an opening
 * succeeds once a missing file is back.
 */
final class LogCheck {
  /** The remedy in every message about a log. */
  static final String REMEDY =
      "; put the file back as it was, or open the store once with recover=prefix, which drops the"
          + " changes from there on";

  private static final String RESTORE = "; put the files back as they were, or restore a backup";

  private static final String OLDER =
      " or CURRENT is older than what the last process that wrote has left, or corrupt" + RESTORE;

  private static final Pattern LOG_NUMBER = Pattern.compile("(?:WAL )?(?:of )?log number (\\d+)");
  private static final String NO_LOGS = "no WAL files";

  private final Path directory;
  private final RocksDbErrors errors;
  private final AcknowledgedChanges.@Nullable Bounds bounds;

  /** Reads the bounds: what a store must have that is opened later. */
  LogCheck(Path directory, RocksDbErrors errors) {
    this.directory = directory;
    this.errors = errors;
    this.bounds = AcknowledgedChanges.read(directory);
  }

  AcknowledgedChanges.@Nullable Bounds bounds() {
    return bounds;
  }

  /** The first fault in a sequence of logs. */
  record Fault(int index, String text) {}

  /** Fails if RocksDB would never end to read the files. Returns the logs. */
  List<WriteAheadLog> beforeOpening() {
    Manifest manifest = Manifest.current(directory);
    if (manifest.endless() != null) {
      throw errors.rejected(manifest.name() + " " + manifest.endless() + RESTORE);
    }
    List<WriteAheadLog> logs = logs();
    for (WriteAheadLog log : logs) {
      if (log.endless()) {
        throw errors.rejected(log.name() + " " + log.flaw() + REMEDY);
      }
    }
    return logs;
  }

  /**
   * Fails if changes are missing. Must be called when no process has the store open.
   *
   * @param logs which exist
   * @param probe opens and verifies the store only for reading; called if the logs alone don't tell
   */
  void beforeWriting(List<WriteAheadLog> logs, Runnable probe) {
    boolean empty = logs.stream().allMatch(WriteAheadLog::isEmpty);
    if (bounds == null && logs.size() < 2) {
      return;
    }
    boolean known = bounds == null || bounds.closed() || !empty;
    checkCurrent();
    if (known && fault(logs, first(logs), 0) == null) {
      return;
    }
    probe.run();
  }

  /**
   * Fails if changes are missing in a database that was opened after this check was created, and
   * only for reading.
   */
  void verify(RocksDB db) {
    checkCurrent();
    try {
      long needed = db.getLongProperty("rocksdb.min-log-number-to-keep");
      List<WriteAheadLog> logs = logs(needed);
      Fault fault = fault(logs, needed, db.getLatestSequenceNumber());
      if (fault != null) {
        throw errors.rejected(fault.text() + (isCurrent() ? REMEDY : ""));
      }
    } catch (RocksDBException e) {
      throw errors.read("cannot read its state", e);
    }
  }

  /**
   * The failure to open a store, in terms of its files if they are the reason.
   *
   * @param failure the store's own
   */
  StoreException explain(StoreException failure) {
    String text = String.valueOf(failure.getMessage());
    if (failure.outcome() != StoreException.Outcome.REJECTED
        || text.contains(RESTORE)
        || text.contains(REMEDY)) {
      return failure;
    }
    if (!isCurrent()) {
      return errors.rejected(
          Manifest.current(directory).name() + OLDER + ": " + cause(failure), failure);
    }
    List<WriteAheadLog> logs = logs();
    Fault fault = fault(logs, first(logs), 0);
    if (fault != null) {
      return errors.rejected(fault.text() + REMEDY, failure);
    }
    Matcher log = LOG_NUMBER.matcher(cause(failure));
    if (log.find()) {
      String name = WriteAheadLog.name(Long.parseLong(log.group(1)));
      return errors.rejected(log.replaceFirst(name) + REMEDY, failure);
    }
    if (cause(failure).contains(NO_LOGS) && bounds != null) {
      return errors.rejected(missing(bounds) + REMEDY, failure);
    }
    return failure;
  }

  /**
   * Fails if the list of table files has become shorter. The numbers of changes do not show that:
   * the list of one family may have got the last one, and that of another be cut off.
   */
  void checkCurrent() {
    if (!isCurrent()) {
      throw errors.rejected(Manifest.current(directory).name() + OLDER);
    }
  }

  private static String cause(StoreException failure) {
    return failure.getCause() instanceof RocksDBException e
        ? RocksDbErrors.oneLine(String.valueOf(e.getMessage()))
        : String.valueOf(failure.getMessage());
  }

  /** Whether the list of table files is that of the process that wrote last, or a later one. */
  boolean isCurrent() {
    if (bounds == null) {
      return true;
    }
    Manifest now = Manifest.current(directory);
    return now.number() > bounds.manifest()
        || (now.number() == bounds.manifest() && now.bytes() >= bounds.manifestBytes());
  }

  private static long first(List<WriteAheadLog> logs) {
    return logs.isEmpty() ? 0 : logs.get(0).number();
  }

  private List<WriteAheadLog> logs() {
    return logs(0);
  }

  /** The logs that exist from a number on, ascending. */
  List<WriteAheadLog> logs(long from) {
    List<WriteAheadLog> logs = new ArrayList<>();
    try {
      for (Map.Entry<Long, Path> file : StoreFiles.logs(directory).tailMap(from).entrySet()) {
        WriteAheadLog log = WriteAheadLog.read(file.getValue(), file.getKey(), bounds);
        if (log != null) {
          logs.add(log);
        }
      }
    } catch (IOException e) {
      throw errors.directory(e);
    }
    return logs;
  }

  /**
   * The first fault of the logs; null if there is none.
   *
   * @param needed the number of the oldest log that is needed; if it is not known, that of the
   *     first one that exists
   * @param recovered the number of the last change in the store; 0 if it is not known
   */
  @Nullable Fault fault(List<WriteAheadLog> logs, long needed, long recovered) {
    long last = recovered;
    for (int i = 0; i < logs.size(); i++) {
      WriteAheadLog log = logs.get(i);
      String text = faultBetween(logs.subList(0, i), log, needed);
      if (text == null) {
        text = faultOf(log);
      }
      if (text != null) {
        return new Fault(i, text);
      }
      last = Math.max(last, log.last());
    }
    if (bounds == null || last >= bounds.changes() || (recovered == 0 && bounds.closed())) {
      return null;
    }
    return new Fault(logs.size(), end(logs, last));
  }

  private @Nullable String faultOf(WriteAheadLog log) {
    if (log.flaw() != null && !log.torn()) {
      return log.name() + " " + log.flaw();
    }
    return bounds != null && log.isForeign(bounds)
        ? log.name() + " was not written by the process that acknowledged the last changes"
        : null;
  }

  /** The reason why a log does not continue those before it. */
  private static @Nullable String faultBetween(
      List<WriteAheadLog> all, WriteAheadLog log, long needed) {
    WriteAheadLog.Predecessor recorded = log.predecessor();
    WriteAheadLog before = null;
    for (WriteAheadLog each : all) {
      // A log that could not be begun for lack of space is not known to the next one.
      if (recorded == null ? !each.isEmpty() : each.number() == recorded.number()) {
        before = each;
      }
    }
    if (recorded == null) {
      return before == null || log.isEmpty() || log.first() <= before.last() + 1
          ? null
          : "%s ends with change %d, but %s begins with change %d: those between are missing"
              .formatted(before.name(), before.last(), log.name(), log.first());
    }
    if (before == null) {
      return recorded.number() < needed
          ? null
          : "%s is missing, which %s follows; its last record began with change %d"
              .formatted(WriteAheadLog.name(recorded.number()), log.name(), recorded.lastRecord());
    }
    return recorded.size() == before.size() && recorded.lastRecord() == before.lastRecord()
        ? null
        : ("%s has %d bytes and its last record begins with change %d, but when %s was begun these"
                + " were %d and %d")
            .formatted(
                before.name(),
                before.size(),
                before.lastRecord(),
                log.name(),
                recorded.size(),
                recorded.lastRecord());
  }

  private String end(List<WriteAheadLog> logs, long last) {
    AcknowledgedChanges.Bounds known = bounds;
    if (known == null) {
      throw new IllegalStateException();
    }
    String text = "the changes " + (last + 1) + " to " + known.changes();
    text += ", which were acknowledged, are missing: ";
    if (!isCurrent()) {
      return text + Manifest.current(directory).name() + OLDER;
    }
    if (logs.isEmpty()) {
      return text + missing(known);
    }
    WriteAheadLog newest = logs.get(logs.size() - 1);
    boolean cut = newest.isEmpty() || newest.flaw() != null;
    return text
        + newest.name()
        + (cut ? " is cut" : " ends before them, or the log after it is missing");
  }

  private static String missing(AcknowledgedChanges.Bounds known) {
    return WriteAheadLog.name(known.firstLog()) + " or a later log is missing";
  }
}
