package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hourstone.kv.Change;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Opens databases. Every opening of a store, also one after a failure within the process, first
 * checks that no acknowledged change is missing, and changes nothing if one is.
 */
final class DatabaseOpening {
  private DatabaseOpening() {}

  /**
   * Opens the database in a directory.
   *
   * @param create whether there is none yet
   */
  static Database open(
      StorePlace place,
      boolean create,
      RocksDbOptions options,
      InstantSource clock,
      RocksDbErrors errors) {
    long now = Math.min(Math.max(clock.millis(), 0), Change.MAX_WRITE_TIME);
    Path path = place.path();
    if (options.readOnly()) {
      return WhileChanging.repeat(path, () -> read(path, options, now, errors));
    }
    checkNoBackup(path, errors);
    if (create || !place.isFree()) {
      return open(path, options, create, now, null, errors);
    }
    FileOwners.check(path, errors);
    LogCheck check = new LogCheck(path, errors);
    if (options.recover()) {
      return LogRecovery.recover(path, options, check, now, errors);
    }
    try {
      List<WriteAheadLog> logs = check.beforeOpening();
      RocksDbOptions reading = options.readOnly(true);
      check.beforeWriting(logs, () -> open(path, reading, false, now, check, errors).discard());
      return open(path, options, false, now, null, errors);
    } catch (StoreException e) {
      throw check.explain(e);
    }
  }

  private static void checkNoBackup(Path path, RocksDbErrors errors) {
    boolean isBackup;
    try {
      isBackup = BackupManifest.isOf(path);
    } catch (IOException e) {
      throw errors.directory(e);
    }
    if (isBackup) {
      throw errors.backup();
    }
  }

  private static Database read(Path path, RocksDbOptions options, long now, RocksDbErrors errors) {
    LogCheck check = new LogCheck(path, errors);
    try {
      var unused = check.beforeOpening();
      return open(path, options, false, now, check, errors);
    } catch (StoreException e) {
      throw check.explain(e);
    }
  }

  /**
   * Opens a database, or creates it.
   *
   * @param check verifies it, before it is used; null if it is verified already
   */
  static Database open(
      Path path,
      RocksDbOptions options,
      boolean create,
      long now,
      @Nullable LogCheck check,
      RocksDbErrors errors) {
    List<OpenFamily.Name> families = create ? List.of() : families(path.toString(), errors);
    RocksDbTuning tuning = new RocksDbTuning(options, create);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB db;
    try {
      List<ColumnFamilyDescriptor> descriptors = descriptors(families, tuning);
      // If opened only for reading, all files are opened now, since a writing process may delete
      // them later.
      db =
          options.readOnly()
              ? RocksDB.openReadOnly(
                  tuning.database().setMaxOpenFiles(-1), path.toString(), descriptors, handles)
              : openForWriting(path.toString(), tuning, descriptors, handles);
    } catch (RocksDBException e) {
      tuning.close();
      throw errors.open(e, options.readOnly());
    }
    return new Database(db, path, options, tuning, errors, families, handles, now, check);
  }

  /** Reads something from a database that is opened only for that, whatever its records say. */
  static <T> T peek(
      Path path,
      RocksDbOptions options,
      Consumer<DBOptions> changes,
      Function<RocksDB, T> reads,
      RocksDbErrors errors) {
    List<OpenFamily.Name> families = families(path.toString(), errors);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDbTuning tuning = new RocksDbTuning(options, false)) {
      changes.accept(tuning.database());
      try (RocksDB db =
          RocksDB.openReadOnly(
              tuning.database(), path.toString(), descriptors(families, tuning), handles)) {
        T result = reads.apply(db);
        handles.forEach(ColumnFamilyHandle::close);
        return result;
      } catch (RocksDBException e) {
        throw errors.open(e, true);
      }
    }
  }

  private static RocksDB openForWriting(
      String path,
      RocksDbTuning tuning,
      List<ColumnFamilyDescriptor> descriptors,
      List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    while (true) {
      try {
        return RocksDB.open(tuning.database(), path, descriptors, handles);
      } catch (RocksDBException e) {
        if (!StoreFiles.removeEmptyLog(Path.of(path), e)) {
          throw e;
        }
        handles.clear();
      }
    }
  }

  private static List<OpenFamily.Name> families(String path, RocksDbErrors errors) {
    List<OpenFamily.Name> families = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] bytes : RocksDB.listColumnFamilies(options, path)) {
        if (!Arrays.equals(bytes, RocksDB.DEFAULT_COLUMN_FAMILY)) {
          OpenFamily.Name name = OpenFamily.Name.of(bytes);
          if (name == null) {
            throw errors.rejected(
                "the directory holds a RocksDB database of something else, with a column family "
                    + RocksDbErrors.oneLine(new String(bytes, UTF_8)));
          }
          families.add(name);
        }
      }
    } catch (RocksDBException e) {
      throw errors.open(e, true);
    }
    return families;
  }

  private static List<ColumnFamilyDescriptor> descriptors(
      List<OpenFamily.Name> families, RocksDbTuning tuning) {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tuning.family()));
    families.forEach(name -> descriptors.add(descriptor(name, tuning)));
    return descriptors;
  }

  static ColumnFamilyDescriptor descriptor(OpenFamily.Name name, RocksDbTuning tuning) {
    return new ColumnFamilyDescriptor(
        name.bytes(), name.codec() == null ? tuning.family() : tuning.codedFamily());
  }
}
