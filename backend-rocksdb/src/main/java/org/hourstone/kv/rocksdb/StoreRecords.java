package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.UUID;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A store's records about itself, in RocksDB's default column family, which contains nothing else.
 * Keys and values are text, readable with RocksDB's own tools.
 *
 * <pre>
 *   hourstone.format   the version of everything in this package that shapes stored bytes
 *   hourstone.epoch    what write times are counted from, see {@link StampedValue}; never changes
 *   hourstone.clock    no write time assigned so far is greater, see {@link WriteClock}
 *   hourstone.opening  the first change of each process that writes, see {@link AcknowledgedChanges}
 * </pre>
 */
final class StoreRecords {
  /** The only version so far. */
  private static final String FORMAT_VERSION = "1";

  private static final byte[] FORMAT = "hourstone.format".getBytes(US_ASCII);
  private static final byte[] EPOCH = "hourstone.epoch".getBytes(US_ASCII);
  private static final byte[] CLOCK = "hourstone.clock".getBytes(US_ASCII);

  private static final byte[] OPENING = "hourstone.opening".getBytes(US_ASCII);

  private final RocksDB db;
  private final long epoch;
  private final long clock;

  private StoreRecords(RocksDB db, RocksDbErrors errors) throws RocksDBException {
    this.db = db;
    this.epoch = number(db, EPOCH, errors);
    this.clock = number(db, CLOCK, errors);
  }

  /**
   * Checks the records of a database, or writes them if it has just been created.
   *
   * @param used whether the database has families of ours, or other traces of a process that wrote
   * @param now the epoch if there is none yet
   */
  static StoreRecords open(RocksDB db, boolean used, long now, RocksDbErrors errors) {
    try {
      byte[] format = db.get(FORMAT);
      // An empty database is one whose creation was interrupted or that was never written to.
      if (format == null && used) {
        throw errors.rejected(
            "corrupt: its record hourstone.format is missing: a write-ahead log or a table file is"
                + " missing or cut; restore a backup, or put the file back as it was");
      } else if (format == null && isEmpty(db)) {
        create(db, now);
      } else if (format == null) {
        throw errors.rejected("the directory holds a RocksDB database of something else");
      } else if (!new String(format, US_ASCII).equals(FORMAT_VERSION)) {
        throw errors.rejected(
            "its format is "
                + RocksDbErrors.oneLine(new String(format, US_ASCII))
                + ", this version of Hourstone knows "
                + FORMAT_VERSION);
      }
      return new StoreRecords(db, errors);
    } catch (RocksDBException e) {
      throw errors.read("cannot open", e);
    }
  }

  long epoch() {
    return epoch;
  }

  /** The mark at the time the store was opened. */
  long clock() {
    return clock;
  }

  /** Stores the mark. */
  void clock(long mark, WriteOptions options) throws RocksDBException {
    db.put(options, CLOCK, text(mark));
  }

  /** Writes the version, which is there, to find out whether the database accepts writes. */
  void rewrite(WriteOptions options) throws RocksDBException {
    db.put(options, FORMAT, FORMAT_VERSION.getBytes(US_ASCII));
  }

  /** Stores the identity of an opening. */
  void opening(UUID id, WriteOptions options) throws RocksDBException {
    db.put(options, OPENING, id.toString().getBytes(US_ASCII));
  }

  private static boolean isEmpty(RocksDB db) throws RocksDBException {
    try (RocksIterator all = db.newIterator()) {
      all.seekToFirst();
      all.status();
      return !all.isValid();
    }
  }

  private static void create(RocksDB db, long now) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions synced = new WriteOptions().setSync(true)) {
      batch.put(FORMAT, FORMAT_VERSION.getBytes(US_ASCII));
      batch.put(EPOCH, text(now));
      batch.put(CLOCK, text(now));
      db.write(synced, batch);
    }
  }

  private static long number(RocksDB db, byte[] key, RocksDbErrors errors) throws RocksDBException {
    byte[] value = db.get(key);
    if (value == null) {
      throw errors.rejected("its record " + new String(key, US_ASCII) + " is missing");
    }
    try {
      return Long.parseLong(new String(value, US_ASCII));
    } catch (NumberFormatException e) {
      throw errors.rejected("its record " + new String(key, US_ASCII) + " is not a number", e);
    }
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(US_ASCII);
  }
}
