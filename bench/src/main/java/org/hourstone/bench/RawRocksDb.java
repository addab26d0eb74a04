package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.rocksdb.RocksDbOptions;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * RocksDB without the store around it: the same files and column family of points, the options with
 * which the store has opened them, as RocksDB has noted them, a cache of the same size, and nothing
 * but RocksDB's own calls. The baseline for a store's figures.
 */
final class RawRocksDb implements AutoCloseable {
  private static final int FILTER_BITS_PER_KEY = 10;

  private final RocksDB rocks;
  private final List<ColumnFamilyHandle> handles;
  private final ColumnFamilyHandle points;
  private final List<AbstractNativeReference> options;
  private final boolean readOnly;
  private final WriteOptions writes = new WriteOptions();

  private RawRocksDb(
      RocksDB rocks,
      List<ColumnFamilyHandle> handles,
      ColumnFamilyHandle points,
      List<AbstractNativeReference> options,
      boolean readOnly) {
    this.rocks = rocks;
    this.handles = handles;
    this.points = points;
    this.options = options;
    this.readOnly = readOnly;
  }

  /** The records of a batch. */
  record Records(List<byte[]> keys, List<byte[]> values) {
    static Records of(List<RowMutation> batch) {
      Records records = new Records(new ArrayList<>(), new ArrayList<>());
      for (RowMutation row : batch) {
        for (Change change : row.changes()) {
          records.keys.add(FlatKeys.cell(row.row(), change.qualifier()));
          records.values.add(((Change.Put) change).value());
        }
      }
      return records;
    }
  }

  /**
   * Opens a directory that has a family of points.
   *
   * @param readOnly beside a store that may be open
   */
  static RawRocksDb open(Path path, boolean readOnly) throws RocksDBException {
    String directory = path.toString();
    DBOptions database = new DBOptions();
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    LRUCache cache = new LRUCache(RocksDbOptions.DEFAULT_MEMORY);
    WriteBufferManager buffers =
        new WriteBufferManager(RocksDbOptions.DEFAULT_MEMORY / 2, cache, false);
    BloomFilter filter = new BloomFilter(FILTER_BITS_PER_KEY);
    List<AbstractNativeReference> options = new ArrayList<>();
    try (ConfigOptions config = new ConfigOptions()) {
      OptionsUtil.loadLatestOptions(config, directory, database, families);
    }
    database.setWriteBufferManager(buffers).setCreateIfMissing(false);
    for (ColumnFamilyDescriptor family : families) {
      if (family.getOptions().tableFormatConfig() instanceof BlockBasedTableConfig table) {
        // Not the one that was read, whose filter crashes RocksDB when it is set again.
        family
            .getOptions()
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setBlockSize(table.blockSize())
                    .setFilterPolicy(filter)
                    .setCacheIndexAndFilterBlocks(table.cacheIndexAndFilterBlocks())
                    .setCacheIndexAndFilterBlocksWithHighPriority(
                        table.cacheIndexAndFilterBlocksWithHighPriority())
                    .setPinL0FilterAndIndexBlocksInCache(table.pinL0FilterAndIndexBlocksInCache()));
      }
      options.add(family.getOptions());
    }
    options.addAll(List.of(database, filter, buffers, cache));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB rocks =
        readOnly
            ? RocksDB.openReadOnly(database, directory, families, handles)
            : RocksDB.open(database, directory, families, handles);
    return new RawRocksDb(rocks, handles, points(handles), options, readOnly);
  }

  /** Its name ends with the codec's if it is coded. */
  private static ColumnFamilyHandle points(List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    for (ColumnFamilyHandle handle : handles) {
      String name = new String(handle.getName(), UTF_8);
      if (name.equals("" + Place.POINTS) || name.startsWith(Place.POINTS + ":")) {
        return handle;
      }
    }
    throw new IllegalArgumentException("no family " + Place.POINTS);
  }

  /** The value stored under a key. */
  byte[] get(byte[] key) throws RocksDBException {
    byte[] value = rocks.get(points, key);
    if (value == null) {
      throw new IllegalArgumentException("no such key");
    }
    return value;
  }

  /** Writes records in one batch, put by put. */
  void write(Records records) throws RocksDBException {
    try (WriteBatch batch = batch(records)) {
      rocks.write(writes, batch);
    }
  }

  /** Writes a batch that was prepared. */
  void write(byte[] prepared) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch(prepared)) {
      rocks.write(writes, batch);
    }
  }

  /** A batch as the bytes RocksDB takes. */
  byte[] prepare(Records records) throws RocksDBException {
    try (WriteBatch batch = batch(records)) {
      return batch.data();
    }
  }

  private WriteBatch batch(Records records) throws RocksDBException {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < records.keys().size(); i++) {
      batch.put(points, records.keys().get(i), records.values().get(i));
    }
    return batch;
  }

  /** Rewrites all table files, down to the last level. */
  void compact() throws RocksDBException {
    try (CompactRangeOptions all = new CompactRangeOptions()) {
      all.setBottommostLevelCompaction(BottommostLevelCompaction.kForce);
      rocks.compactRange(points, null, null, all);
    }
  }

  /** Bytes of the family's table files. */
  long tableBytes() throws RocksDBException {
    byte[] name = points.getName();
    return rocks.getLiveFilesMetaData().stream()
        .filter(file -> Arrays.equals(file.columnFamilyName(), name))
        .mapToLong(LiveFileMetaData::size)
        .sum();
  }

  /** The number of the family's records. */
  long records() throws RocksDBException {
    long records = 0;
    try (ReadOptions reads = new ReadOptions();
        RocksIterator all = rocks.newIterator(points, reads)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        records++;
      }
      all.status();
    }
    return records;
  }

  @Override
  public void close() throws IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      if (!readOnly) {
        rocks.flush(flush, handles);
      }
      writes.close();
      handles.forEach(ColumnFamilyHandle::close);
      rocks.closeE();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
    options.forEach(AbstractNativeReference::close);
  }
}
