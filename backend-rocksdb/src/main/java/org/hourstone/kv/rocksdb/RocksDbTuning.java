package org.hourstone.kv.rocksdb;

import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * All RocksDB options, and the native objects that represent them. The reasons and the measurements
 * are in {@code docs/adr/0003-rocksdb-mapping.md}.
 */
final class RocksDbTuning implements AutoCloseable {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int DICTIONARY_BYTES = 16 << 10;
  private static final int FILTER_BITS_PER_KEY = 10;
  private static final double SHARE_FOR_INDEXES = 0.5;
  private static final long MAX_WRITE_BUFFER = 64L << 20;
  private static final int MAX_RANGE_DELETIONS_IN_WRITE_BUFFER = 1000;
  private static final int OPEN_FILES = 512;

  /** The time after which deletions are merged with the cells they delete, level by level. */
  private static final long MERGE_AFTER_SECONDS = 7 * 24 * 3600;

  private static final long LOG_FILE_BYTES = 8L << 20;
  private static final int LOG_FILES = 4;

  private final LRUCache cache;
  private final WriteBufferManager writeBuffers;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS_PER_KEY);
  private final StringAppendOperator append = new StringAppendOperator("");
  private final CompressionOptions bottomCompression = new CompressionOptions();
  private final ColumnFamilyOptions family = new ColumnFamilyOptions();
  private final ColumnFamilyOptions codedFamily = codedOptions();
  private final NoRecovery noRecovery = new NoRecovery();
  private final DBOptions database;
  private final WriteOptions writes = new WriteOptions();

  /** Options for an existing database or for one to be created. */
  RocksDbTuning(RocksDbOptions options, boolean create) {
    // Not strict: a full cache must slow reads down, not make them fail.
    cache = new LRUCache(options.memory(), -1, false, SHARE_FOR_INDEXES);
    // Charged to the cache. Never stalls writers: a cursor pins the write buffers it reads, and its
    // thread may be the writer.
    writeBuffers = new WriteBufferManager(options.memory() / 2, cache, false);
    bottomCompression
        .setEnabled(true)
        .setMaxDictBytes(DICTIONARY_BYTES)
        .setZStdMaxTrainBytes(100 * DICTIONARY_BYTES);
    family
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setBottommostCompressionOptions(bottomCompression);
    tune(family, options);
    tune(codedFamily.setCompressionType(CompressionType.ZSTD_COMPRESSION), options);
    database = database(options, create);
    writes.setSync(options.sync());
  }

  /**
   * The options of a family with coded cells. The cells are small, so the best compression of keys
   * and headers is cheap on all levels; values can't be compressed further, and a dictionary has no
   * benefit. By default RocksDB would store most blocks uncompressed, since they shrink by less
   * than an eighth; this option has no setter.
   */
  private static ColumnFamilyOptions codedOptions() {
    Properties properties = new Properties();
    properties.setProperty("compression_opts", "{level=9;max_compressed_bytes_per_kb=1023}");
    return Objects.requireNonNull(
        ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties),
        "RocksDB's max_compressed_bytes_per_kb");
  }

  private void tune(ColumnFamilyOptions family, RocksDbOptions options) {
    family
        .setMergeOperator(append)
        .setWriteBufferSize(Math.min(MAX_WRITE_BUFFER, options.memory() / 4))
        .setMemtableMaxRangeDeletions(MAX_RANGE_DELETIONS_IN_WRITE_BUFFER)
        .setTtl(MERGE_AFTER_SECONDS)
        // Point reads are for names and counters, which exist, so the largest level has no filter.
        .setOptimizeFiltersForHits(true)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(filter)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
  }

  private DBOptions database(RocksDbOptions options, boolean create) {
    DBOptions database =
        options.readOnly() || options.recover() ? new DBOptions() : verifyingLogs();
    return database
        .setCreateIfMissing(create)
        .setParanoidChecks(!options.partial())
        // The default mode silently drops everything after a corrupt log record.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        // After a crash the changes of the log are written to table files, which are synced: the
        // logs
        // of an earlier process may not be, and RocksDB can't verify that the next log follows
        // them.
        .setAvoidFlushDuringRecovery(false)
        .setWriteBufferManager(writeBuffers)
        // A family without writes would otherwise retain the log of all others indefinitely.
        .setMaxTotalWalSize(options.memory())
        // After an error the store is opened again. RocksDB itself would resume after some errors
        // only, and acknowledge changes in files whose sync has failed.
        .setMaxBgErrorResumeCount(0)
        .setListeners(List.of(noRecovery))
        .setMaxBackgroundJobs(Math.max(2, Runtime.getRuntime().availableProcessors()))
        .setBytesPerSync(1 << 20)
        .setMaxOpenFiles(OPEN_FILES)
        .setMaxLogFileSize(LOG_FILE_BYTES)
        .setKeepLogFileNum(LOG_FILES)
        .setStatsDumpPeriodSec(0);
  }

  /**
   * Without this option, which has no setter, a database with a missing log opens as if the changes
   * had never been made. An opening for reading has a check of its own, {@link LogCheck}, which can
   * do with an empty log that could not be begun for lack of space; so does a recovery.
   */
  private static DBOptions verifyingLogs() {
    Properties properties = new Properties();
    properties.setProperty("track_and_verify_wals", "true");
    return Objects.requireNonNull(
        DBOptions.getDBOptionsFromProps(properties), "RocksDB's track_and_verify_wals");
  }

  DBOptions database() {
    return database;
  }

  ColumnFamilyOptions family() {
    return family;
  }

  ColumnFamilyOptions codedFamily() {
    return codedFamily;
  }

  WriteOptions writes() {
    return writes;
  }

  LRUCache cache() {
    return cache;
  }

  /** Must be called after the database is closed. */
  @Override
  public void close() {
    writes.close();
    database.close();
    noRecovery.close();
    family.close();
    codedFamily.close();
    bottomCompression.close();
    append.close();
    filter.close();
    writeBuffers.close();
    cache.close();
  }
}
