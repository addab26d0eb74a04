package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB without the store around it: the same files, options and column family, and nothing but
 * RocksDB's own calls. The baseline for a store's figures. In this package so that it is opened
 * exactly as the store opens it.
 */
public final class RawRocksDb implements AutoCloseable {
  private final Database database;
  private final ColumnFamilyHandle family;
  private final WriteOptions writes = new WriteOptions();

  private RawRocksDb(Database database, ColumnFamilyHandle family) {
    this.database = database;
    this.family = family;
  }

  /** Opens the database in a directory, creating what is missing. */
  public static RawRocksDb open(Path directory, Family family) {
    Database database =
        Database.open(
            directory, RocksDbOptions.defaults(), Clock.systemUTC(), new RocksDbErrors(directory));
    database.create(List.of(new FamilySpec(family, false)), false);
    return new RawRocksDb(database, database.handle(family));
  }

  /** The key the store gives a cell. */
  public static byte[] key(byte[] row, byte[] qualifier) {
    return FlatKeys.cell(row, qualifier);
  }

  /** The value stored under a key. */
  public byte[] get(byte[] key) throws RocksDBException {
    byte[] value = database.rocks().get(family, key);
    if (value == null) {
      throw new IllegalArgumentException("no such key");
    }
    return value;
  }

  /** Writes records in one batch, put by put. */
  public void write(byte[][] keys, byte[][] values) throws RocksDBException {
    try (WriteBatch batch = batch(keys, values)) {
      database.rocks().write(writes, batch);
    }
  }

  /** Writes a batch that was prepared. */
  public void write(byte[] prepared) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch(prepared)) {
      database.rocks().write(writes, batch);
    }
  }

  /** A batch as the bytes RocksDB takes. */
  public byte[] prepare(byte[][] keys, byte[][] values) throws RocksDBException {
    try (WriteBatch batch = batch(keys, values)) {
      return batch.data();
    }
  }

  private WriteBatch batch(byte[][] keys, byte[][] values) throws RocksDBException {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < keys.length; i++) {
      batch.put(family, keys[i], values[i]);
    }
    return batch;
  }

  /** Rewrites all table files, down to the last level. */
  public void compact() throws RocksDBException {
    try (CompactRangeOptions options = new CompactRangeOptions()) {
      options.setBottommostLevelCompaction(BottommostLevelCompaction.kForce);
      database.rocks().compactRange(family, null, null, options);
    }
  }

  /** Bytes of the family's table files. */
  public long tableBytes() throws RocksDBException {
    byte[] name = family.getName();
    return database.rocks().getLiveFilesMetaData().stream()
        .filter(file -> Arrays.equals(file.columnFamilyName(), name))
        .mapToLong(LiveFileMetaData::size)
        .sum();
  }

  /** Bytes of all keys and values in the family's table files, without compression. */
  public long rawBytes() throws RocksDBException {
    return database.rocks().getPropertiesOfAllTables(family).values().stream()
        .mapToLong(table -> table.getRawKeySize() + table.getRawValueSize())
        .sum();
  }

  /** Scans all records, reading keys and values into the same arrays; returns their number. */
  public long iterate() throws RocksDBException {
    byte[] key = new byte[1 << 16];
    byte[] value = new byte[1 << 16];
    long records = 0;
    try (ReadOptions options = new ReadOptions();
        RocksIterator all = database.rocks().newIterator(family, options)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        if (all.key(key) > key.length || all.value(value) > value.length) {
          throw new IllegalStateException("a record larger than expected");
        }
        records++;
      }
      all.status();
    }
    return records;
  }

  @Override
  public void close() {
    writes.close();
    database.close();
  }
}
