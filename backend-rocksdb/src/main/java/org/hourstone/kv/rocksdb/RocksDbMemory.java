package org.hourstone.kv.rocksdb;

/** Extension: the memory that RocksDB reports to use outside of the Java heap. */
public interface RocksDbMemory {
  /** The current figures. */
  Usage usage();

  /**
   * The memory use, in bytes.
   *
   * @param limit the limit with which the store was opened, see {@link RocksDbOptions#memory}
   * @param cache everything that counts against the limit: cached blocks, indexes, filters and
   *     write buffers
   * @param pinned the part of {@code cache} that is in use and can't be evicted
   * @param writeBuffers changes not yet written to table files; contained in {@code cache}
   * @param tableReaders the memory of open table files outside of the cache
   */
  record Usage(long limit, long cache, long pinned, long writeBuffers, long tableReaders) {}
}
