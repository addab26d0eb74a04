package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * An open RocksDB database and the one owner of its native handles: opens them and frees them in
 * order. It guards against nothing: {@link Scope} keeps calls away once it is closed.
 */
final class Database {
  private final RocksDB db;
  private final RocksDbTuning tuning;
  private final RocksDbErrors errors;
  private final ColumnFamilyHandle defaultFamily;
  private final StoreRecords records;
  private volatile Map<Family, ColumnFamilyHandle> families;

  private Database(
      RocksDB db,
      RocksDbTuning tuning,
      RocksDbErrors errors,
      List<Family> families,
      List<ColumnFamilyHandle> handles,
      long now) {
    this.db = db;
    this.tuning = tuning;
    this.errors = errors;
    this.defaultFamily = handles.get(0);
    Map<Family, ColumnFamilyHandle> byFamily = new TreeMap<>();
    for (int i = 0; i < families.size(); i++) {
      byFamily.put(families.get(i), handles.get(i + 1));
    }
    this.families = byFamily;
    try {
      this.records = StoreRecords.open(db, families.isEmpty(), now, errors);
    } catch (RuntimeException e) {
      free();
      throw e;
    }
  }

  /**
   * Opens the database in a directory, which is created if it does not exist, unless it is only
   * read.
   */
  static Database open(
      Path directory, RocksDbOptions options, InstantSource clock, RocksDbErrors errors) {
    long now = Math.min(Math.max(clock.millis(), 0), Change.MAX_WRITE_TIME);
    boolean create = !options.readOnly() && StoreFiles.prepare(directory, errors);
    if (options.readOnly()) {
      StoreFiles.checkPresent(directory, errors);
    }
    NativeLibrary.load(directory, errors);
    String path = directory.toAbsolutePath().toString();
    List<Family> families = create ? List.of() : families(path, errors);
    RocksDbTuning tuning = new RocksDbTuning(options, create);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB db;
    try {
      List<ColumnFamilyDescriptor> descriptors = descriptors(families, tuning);
      // Read only, all files are opened now: a process that writes may delete them later.
      db =
          options.readOnly()
              ? RocksDB.openReadOnly(
                  tuning.database().setMaxOpenFiles(-1), path, descriptors, handles)
              : RocksDB.open(tuning.database(), path, descriptors, handles);
    } catch (RocksDBException e) {
      tuning.close();
      throw errors.open(e);
    }
    return new Database(db, tuning, errors, families, handles, now);
  }

  private static List<Family> families(String path, RocksDbErrors errors) {
    List<Family> families = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] bytes : RocksDB.listColumnFamilies(options, path)) {
        if (!Arrays.equals(bytes, RocksDB.DEFAULT_COLUMN_FAMILY)) {
          families.add(family(new String(bytes, UTF_8), errors));
        }
      }
    } catch (RocksDBException e) {
      throw errors.open(e);
    }
    return families;
  }

  private static Family family(String name, RocksDbErrors errors) {
    int colon = name.lastIndexOf(':');
    if (colon < 1 || colon == name.length() - 1) {
      throw errors.rejected(
          "the directory holds a RocksDB database of something else, with a column family "
              + RocksDbErrors.oneLine(name));
    }
    return new Family(name.substring(0, colon), name.substring(colon + 1));
  }

  private static List<ColumnFamilyDescriptor> descriptors(
      List<Family> families, RocksDbTuning tuning) {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tuning.family()));
    for (Family family : families) {
      descriptors.add(
          new ColumnFamilyDescriptor(family.toString().getBytes(UTF_8), tuning.family()));
    }
    return descriptors;
  }

  /** RocksDB's name of a family, from which {@link #family} makes the same one. */
  private byte[] name(Family family) {
    byte[] name = family.toString().getBytes(UTF_8);
    if (!new String(name, UTF_8).equals(family.toString())) {
      throw errors.rejected("the name of family " + family + " is not valid Unicode");
    }
    return name;
  }

  RocksDB rocks() {
    return db;
  }

  RocksDbErrors errors() {
    return errors;
  }

  /** See {@link StampedValue}. */
  long epoch() {
    return records.epoch();
  }

  StoreRecords records() {
    return records;
  }

  /** The families there are, ordered. */
  List<Family> families() {
    return List.copyOf(families.keySet());
  }

  /** The handle of a family that exists. */
  ColumnFamilyHandle handle(Family family) {
    ColumnFamilyHandle handle = families.get(family);
    if (handle == null) {
      throw errors.rejected("no family " + family + "; there are " + families());
    }
    return handle;
  }

  /** Creates the missing families. */
  synchronized void create(Collection<Family> wanted) {
    for (Family family : wanted) {
      if (families.containsKey(family)) {
        continue;
      }
      try {
        Map<Family, ColumnFamilyHandle> more = new TreeMap<>(families);
        more.put(
            family,
            db.createColumnFamily(new ColumnFamilyDescriptor(name(family), tuning.family())));
        families = more;
      } catch (RocksDBException e) {
        throw errors.write(e);
      }
    }
  }

  /** A batch to fill for a family. */
  BatchBuffer batch(ColumnFamilyHandle family, int capacity) {
    return new BatchBuffer(family.getID(), epoch(), capacity);
  }

  /** Applies a batch, all of it or nothing. */
  void write(BatchBuffer changes) {
    if (changes.isEmpty()) {
      return;
    }
    try (WriteBatch batch = new WriteBatch(changes.toBytes())) {
      db.write(tuning.writes(), batch);
    } catch (RocksDBException e) {
      throw errors.write(e);
    }
  }

  /** RocksDB's memory use. */
  RocksDbMemory.Usage memory(long limit) {
    try {
      return new RocksDbMemory.Usage(
          limit,
          tuning.cache().getUsage(),
          tuning.cache().getPinnedUsage(),
          db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
          db.getAggregatedLongProperty("rocksdb.estimate-table-readers-mem"));
    } catch (RocksDBException e) {
      throw errors.read("cannot read its memory usage", e);
    }
  }

  /** Closes the database, then the native objects it uses. */
  void close() {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      List<ColumnFamilyHandle> all = new ArrayList<>(families.values());
      all.add(defaultFamily);
      db.flush(options, all);
    } catch (RocksDBException e) {
      // Only saves the next opening a replay of the log, which contains all unflushed changes.
    }
    free();
  }

  private void free() {
    families.values().forEach(ColumnFamilyHandle::close);
    defaultFamily.close();
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw errors.write(e);
    } finally {
      tuning.close();
    }
  }
}
