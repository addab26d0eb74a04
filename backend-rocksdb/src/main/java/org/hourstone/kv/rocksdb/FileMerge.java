package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.Map;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Reclamation;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TableProperties;

/**
 * Merges table files into the last level, so that deleted cells and their deletion records use no
 * space, and all other cells use as little as possible. Only files that overlap newer ones are
 * rewritten. RocksDB replaces a group of files at a time, and deletes the old ones once the new
 * ones are complete. One merge at a time; {@link #cancel} ends it, and all later ones. All methods
 * except {@link #cancel} must be called within a {@link Scope}.
 */
final class FileMerge implements Reclamation {
  /** A merge is worthwhile if at least one record in this number is not yet in the last level. */
  private static final int RECORDS_PER_NEW_ONE = 20;

  private final Database database;
  private final CompactRangeOptions options =
      new CompactRangeOptions().setExclusiveManualCompaction(false);

  FileMerge(Database database) {
    this.database = database;
  }

  @Override
  public synchronized void reclaim(Family family, byte[] start, byte @Nullable [] stop) {
    ColumnFamilyHandle handle = database.handle(family);
    byte[] from = FlatKeys.bound(start);
    byte[] to = stop == null ? FlatKeys.beyondAll() : FlatKeys.bound(stop);
    try {
      try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
        database.rocks().flush(flush, handle);
      }
      if (isWorthIt(handle, from, to)) {
        database.rocks().compactRange(handle, from, to, options);
      }
    } catch (RocksDBException e) {
      Status status = e.getStatus();
      if (status == null || status.getCode() != Status.Code.Incomplete) { // cancelled
        throw database.errors().read("cannot merge its files", e);
      }
    }
  }

  private boolean isWorthIt(ColumnFamilyHandle handle, byte[] from, byte[] to)
      throws RocksDBException {
    Map<String, TableProperties> properties = database.rocks().getPropertiesOfAllTables(handle);
    int lastLevel = database.rocks().numberLevels(handle) - 1;
    long records = 0;
    long newOnes = 0;
    for (LiveFileMetaData file : database.rocks().getLiveFilesMetaData()) {
      TableProperties its = properties.get(file.path() + file.fileName());
      if (its != null
          && Arrays.compareUnsigned(file.smallestKey(), to) < 0
          && Arrays.compareUnsigned(file.largestKey(), from) >= 0) {
        records += its.getNumEntries();
        newOnes += file.level() < lastLevel ? its.getNumEntries() : its.getNumDeletions();
      }
    }
    return newOnes > 0 && newOnes * RECORDS_PER_NEW_ONE >= records;
  }

  /**
   * Cancels merges without waiting for their end. Idempotent; may also be called after {@link
   * #close}.
   */
  void cancel() {
    synchronized (options) {
      if (options.isOwningHandle()) {
        options.setCanceled(true);
      }
    }
  }

  /** Must be called when no call is in progress. */
  void close() {
    synchronized (options) {
      options.close();
    }
  }
}
